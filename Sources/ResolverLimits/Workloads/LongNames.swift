import Resolver

// Names of a megabyte.

extension Workload {
    static let longNames = Workload(
        "long-names", "Long names", unit: "bytes of a name", upTo: 1 << 20
    ) { recorder, size in
        let count = 16
        let strings = (0..<count).map { "\($0) " + String(repeating: "n", count: size) }
        var names: [Resolver.Name] = []
        recorder.measure("make the name, for each byte", units: size * count) { names = strings.map { .init($0) } }
        // Other strings with the same characters.
        let equalNames = (0..<count).map { Resolver.Name("\($0) " + String(repeating: "n", count: size)) }
        let missing = Resolver.Name("missing " + String(repeating: "n", count: size))
        let resolver = Resolver()
        recorder.measure("register", units: count, bytes: .flat) {
            for name in names { resolver.register(name: name) { Leaf() }.scope(.cached) }
        }
        recorder.measure("resolve by the same name", units: count) {
            for name in names { _ = resolver.resolve(Leaf.self, name: name) }
        }
        recorder.measure("resolve by an equal name", units: count, time: .linear, bytes: .nothing) {
            for name in equalNames { _ = resolver.resolve(Leaf.self, name: name) }
        }
        recorder.measure("miss", units: count, bytes: .nothing) {
            for _ in 0..<count { _ = resolver.optional(Leaf.self, name: missing) }
        }
        // No suggestion is similar: the requested type has no other name.
        var characters = 0
        recorder.measure("message of a miss", units: 1, time: .linear, bytes: .nothing) {
            characters = recorder.message(of: resolver, missing: Pair.self, missing)
        }
        recorder.note("length of the message", .characters, .linear, total: Double(characters))
    }

    static let longSuggestions = Workload(
        "long-suggestions", "A long name among long names, one of which is suggested", unit: "bytes of a name",
        upTo: 16_384
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register(name: .init(String(repeating: "n", count: size))) { Leaf() }
        let similar = Resolver.Name(String(repeating: "m", count: size))
        recorder.measure("message", units: 1, time: .linear, bytes: .nothing) {
            _ = recorder.message(of: resolver, missing: Leaf.self, similar)
        }
    }
}
