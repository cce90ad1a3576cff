import Resolver

// A root that depends on one object behind three protocols, and on two more services.

protocol Fetching { func fetch() -> Int }
protocol Updating { func update() -> Int }
protocol Storing { func store() -> Int }

final class Combined: Fetching, Updating, Storing {
    func fetch() -> Int { 1 }
    func update() -> Int { 2 }
    func store() -> Int { 3 }
}

final class Log { let value = 1 }
final class Session { let value = 1 }

final class Root {
    let fetching: any Fetching
    let updating: any Updating
    let storing: any Storing
    let log: Log
    let session: Session

    init(_ fetching: any Fetching, _ updating: any Updating, _ storing: any Storing, _ log: Log, _ session: Session) {
        self.fetching = fetching
        self.updating = updating
        self.storing = storing
        self.log = log
        self.session = session
    }
}

/// Each factory resolves its dependencies from the resolver that it receives.
func resolverWithGraph() -> Resolver {
    let resolver = Resolver()
    resolver.register { Combined() }
    resolver.register { resolver in resolver.resolve() as Combined as Fetching }
    resolver.register { resolver in resolver.resolve() as Combined as Updating }
    resolver.register { resolver in resolver.resolve() as Combined as Storing }
    resolver.register { Log() }
    resolver.register { Session() }
    resolver.register { resolver in
        Root(resolver.resolve(), resolver.resolve(), resolver.resolve(), resolver.resolve(), resolver.resolve())
    }
    return resolver
}

extension Resolver {
    /// Registers the graph on `main`, with the static functions.
    static func registerGraph() {
        register { Combined() }
        register { resolve() as Combined as Fetching }
        register { resolve() as Combined as Updating }
        register { resolve() as Combined as Storing }
        register { Log() }
        register { Session() }
        register { Root(resolve(), resolve(), resolve(), resolve(), resolve()) }
    }
}

func makeGraphByHand() -> AnyObject {
    let combined = Combined()
    return Root(combined, combined, combined, Log(), Session())
}
