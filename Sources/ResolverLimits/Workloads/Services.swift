import Resolver

// Many services in one resolver.

extension Workload {
    static let services = Workload(
        "services", "Services of one type under many names", unit: "services", upTo: 100_000
    ) { recorder, size in
        let names = names(size)
        var resolver: Resolver? = Resolver()
        recorder.measure("register", units: size, bytes: .flat) {
            for name in names { resolver?.register(name: name) { Leaf() }.scope(.cached) }
        }
        recorder.measure("resolve first", units: size, bytes: .flat) {
            for name in names { _ = resolver?.resolve(Leaf.self, name: name) }
        }
        recorder.measure("resolve again", units: size, bytes: .nothing) {
            for name in names { _ = resolver?.resolve(Leaf.self, name: name) }
        }
        recorder.measure("miss", units: size, bytes: .nothing) {
            for name in names { _ = resolver?.optional(Pair.self, name: name) }
        }
        recorder.measure("reset of the scope", units: size, time: .logarithmic) { resolver?.reset(scope: .cached) }
        for name in names { _ = resolver?.resolve(Leaf.self, name: name) }
        recorder.measure("reset of each", units: size) {
            for name in names { resolver?.reset(Leaf.self, name: name) }
        }
        for name in names { _ = resolver?.resolve(Leaf.self, name: name) }
        recorder.measure("end of the resolver", units: size, time: .logarithmic) { resolver = nil }
    }

    static let serviceTypes = Workload(
        "service-types", "Services of many types", unit: "types", upTo: 100_000
    ) { recorder, size in
        let types = Types.make(size)
        let resolver = Resolver()
        recorder.measure("register", units: size, bytes: .flat) {
            for type in types { type.register(on: resolver) }
        }
        recorder.measure("resolve first", units: size, bytes: .flat) {
            for type in types { type.resolve(from: resolver) }
        }
        recorder.measure("resolve again", units: size, bytes: .nothing) {
            for type in types { type.resolve(from: resolver) }
        }
    }

    /// One object under so many names that the references reserved by slots would exceed the runtime's reference count.
    static let oneObject = Workload(
        "one-object", "One object under many names", unit: "names", upTo: 40_000
    ) { recorder, size in
        let names = names(size), object = Leaf(), resolver = Resolver()
        for name in names { resolver.register(name: name) { object }.scope(.cached) }
        recorder.measure("resolve first", units: size, bytes: .flat) {
            for name in names { _ = resolver.resolve(Leaf.self, name: name) }
        }
        recorder.measure("resolve again", units: size, bytes: .nothing) {
            for name in names {
                recorder.require(resolver.resolve(Leaf.self, name: name) === object, "another object")
            }
        }
        recorder.measure("reset", units: size, time: .logarithmic) { resolver.reset(.scopes) }
    }

    static let aliases = Workload("aliases", "One service under many names of a protocol", unit: "names", upTo: 40_000)
    {
        recorder, size in
        let names = names(size), resolver = Resolver(), options = resolver.register { Leaf() }.scope(.cached)
        recorder.measure("register", units: size, bytes: .flat) {
            for name in names { options.implements((any Role).self, name: name) }
        }
        recorder.measure("resolve first", units: size) {
            for name in names { _ = resolver.resolve((any Role).self, name: name) }
        }
        recorder.measure("resolve again", units: size, bytes: .nothing) {
            for name in names { _ = resolver.resolve((any Role).self, name: name) }
        }
        recorder.measure("reset", units: size, time: .logarithmic) { resolver.reset(.scopes) }
    }

    static let singletons = Workload(
        "singletons", "Application singletons", unit: "singletons", upTo: 100_000
    ) { recorder, size in
        let names = names(size), resolver = Resolver()
        recorder.measure("register", units: size, bytes: .flat) {
            for name in names { resolver.register(name: name) { Leaf() }.scope(.application) }
        }
        recorder.measure("resolve first", units: size, bytes: .flat) {
            for name in names { _ = resolver.resolve(Leaf.self, name: name) }
        }
        recorder.measure("resolve again", units: size, bytes: .nothing) {
            for name in names { _ = resolver.resolve(Leaf.self, name: name) }
        }
        recorder.measure("reset of the scope", units: size, time: .logarithmic) { ResolverScope.application.reset() }
    }
}
