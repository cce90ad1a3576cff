import Resolver
import Testing

/// What is found inside a scope that registers a service at the moment when other threads ask for it, or register it too.
/// Each round needs a name that no scope has had before.
@Suite struct ScopedRegistrationRaceTests {
    /// Many resolvers, each with a service that it keeps.
    private let players = (0..<24).map { _ in
        let resolver = Resolver()
        return (resolver: resolver, options: resolver.register { Player() }.scope(.container))
    }

    /// Lets the service of each resolver be asked for by a protocol and a name.
    private func addName(_ name: Resolver.Name) {
        for player in players { player.options.implements(Role.self, name: name) }
    }

    private func resolveAll(_ name: Resolver.Name) {
        for player in players { _ = player.resolver.resolve(Role.self, name: name) }
    }

    /// Registers a service of its own for a new scope, together with another thread.
    ///
    /// - Returns: how many resolvers have another one in that scope.
    private func strangers(after start: StartLine, _ name: Resolver.Name) -> Int {
        let own = Player()
        return Resolver.withScope(.request, id: "own") {
            // The scope has something already, so the next registration is the quicker.
            Resolver.registerScoped(Leaf.self, name: "first", scope: .request) { Leaf() }
            start.wait()
            Resolver.registerScoped((any Role).self, name: name, scope: .request) { own }
            return players.count { $0.resolver.resolve(Role.self, name: name) !== own }
        }
    }

    /// The first call for the protocol lets later ones go a shorter way, which must not lead past the scope.
    @Test func aScopeHasItsOwnServiceAlthoughAnotherThreadWasJustGivenTheOneOfTheResolver() {
        let rounds = 4000, strangers = Box(0)
        let starts = (0..<rounds).map { _ in StartLine(2) }
        let names = (0..<rounds).map { Resolver.Name("just given \($0)") }
        for name in names { addName(name) }
        Threads.run(
            {
                for round in 0..<rounds {
                    starts[round].wait()
                    resolveAll(names[round])
                }
            },
            {
                for round in 0..<rounds {
                    let found = self.strangers(after: starts[round], names[round])
                    strangers.update { $0 += found }
                }
            })
        #expect(strangers.value == 0)
    }

    /// The first to register a name for a scope has the most to do, and the other one must not be ahead of it.
    @Test func twoScopesThatRegisterTheSameNameAtOnceHaveTheirOwnServiceAtOnce() {
        let rounds = 1000, strangers = Box(0)
        let starts = (0..<rounds).map { _ in StartLine(2) }
        let names = (0..<rounds).map { Resolver.Name("at once \($0)") }
        for name in names {
            addName(name)
            resolveAll(name)
        }
        Threads.run(2) { _ in
            for round in 0..<rounds {
                let found = self.strangers(after: starts[round], names[round])
                strangers.update { $0 += found }
            }
        }
        #expect(strangers.value == 0)
    }
}
