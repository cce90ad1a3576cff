import Resolver

// The cost of a message with suggestions, which searches all registrations.

extension Workload {
    static let missingAmongNames = Workload(
        "missing-among-names", "A missing name among other names of the type", unit: "names", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        for name in names(size) { resolver.register(name: name) { Leaf() } }
        recorder.explain(resolver, "service7x")
    }

    static let missingAmongTypes = Workload(
        "missing-among-types", "A missing service among other types", unit: "types", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        for type in Types.make(size) { type.register(on: resolver) }
        recorder.explain(resolver)
    }

    static let missingAmongResolvers = Workload(
        "missing-among-resolvers", "A missing service that other resolvers have", unit: "resolvers", upTo: 100_000
    ) { recorder, size in
        let others = (0..<size).map { _ in Resolver() }
        for other in others { other.register { Leaf() } }
        let resolver = Resolver()
        resolver.register { Pair(Leaf(), Leaf()) }
        recorder.explain(resolver)
        withExtendedLifetime(others) {}
    }
}

extension Recorder {
    /// Measures a call for a missing service, and the message, which is made when it is read.
    fileprivate func explain(_ resolver: Resolver, _ name: Resolver.Name? = nil) {
        measure("throw", units: 100, bytes: .nothing) {
            for _ in 0..<100 { _ = failure(of: resolver, missing: Leaf.self, name) }
        }
        var characters = 0
        measure("message", units: 1, time: .linear, bytes: .nothing) {
            characters = message(of: resolver, missing: Leaf.self, name)
        }
        note("length of the message", .characters, .flat, total: Double(characters))
    }

    /// Returns the length of the message.
    func message<Service>(of resolver: Resolver, missing type: Service.Type, _ name: Resolver.Name?) -> Int {
        failure(of: resolver, missing: type, name).description.utf8.count
    }

    private func failure<Service>(
        of resolver: Resolver, missing type: Service.Type, _ name: Resolver.Name?
    ) -> ResolutionError {
        do throws(ResolutionError) {
            _ = try resolver.tryResolve(type, name: name)
        } catch {
            require(error.code == .notRegistered, "\(error.code)")
            return error
        }
        end(with: "found what is not registered")
    }
}
