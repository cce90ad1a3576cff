import Foundation
import Resolver
import Testing

/// The first creation of an instance in a scope or an isolating resolver, while other code asks for the same instance.
@Suite struct ScopeCreationTests {
    private final class Part: Sendable {}
    private final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }

    private static let kind = ScopeKind("first creations", rank: 17, binding: .execution)

    /// Where the first instance is created.
    enum Place: String, Codable, CaseIterable, Sendable {
        case scope, isolating

        /// Calls `body` with the resolver that registers, and a function that runs code which resolves through another one.
        func run(_ body: (Resolver, @escaping @Sendable (@Sendable (Resolver) -> Void) -> Void) throws -> Void) rethrows
        {
            let main = Resolver()
            switch self {
            case .scope:
                let handle = ScopeContext.shared.open(ScopeCreationTests.kind, id: "1")
                try body(main) { body in handle.run { body(main) } }
                handle.end()
            case .isolating:
                let own = Resolver(isolating: main)
                try body(main) { body in body(own) }
            }
        }

        @discardableResult
        func set<Service>(_ options: ResolverOptions<Service>) -> ResolverOptions<Service> {
            self == .scope ? options.scoped(to: ScopeCreationTests.kind) : options.scope(.cached)
        }
    }

    @Test(arguments: Place.allCases)
    func `a thread waits for the thread that creates the instance`(_ place: Place) async {
        await #expect(processExitsWith: .success) { [place] in
            Child.mustEnd()
            let isInside = Gate(), mayFinish = Gate(), count = Box(0)
            place.run { resolver, enter in
                place.set(
                    resolver.register { () -> Part in
                        count.increment()
                        isInside.open()
                        mayFinish.wait()
                        return Part()
                    })
                let parts = Box<[Part]>([])
                let second = RunningThread {
                    isInside.wait()
                    // The second thread is about to wait, or finds the instance.
                    mayFinish.open()
                    enter { resolver in parts.append(resolver.resolve()) }
                }
                enter { resolver in parts.append(resolver.resolve()) }
                second.join()
                Child.require(count.value == 1 && parts.value.count == 2, "one creation")
                Child.require(parts.value[0] === parts.value[1], "one instance")
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `two threads that need each other's service both get an error`(_ place: Place) async {
        await #expect(processExitsWith: .success) { [place] in
            Child.mustEnd()
            let bothInside = Rendezvous(2)
            place.run { resolver, enter in
                for (name, other) in [("a", "b"), ("b", "a")] {
                    place.set(
                        resolver.register(name: .init(name)) { resolver -> Part in
                            bothInside.arriveAndWait()
                            return try resolver.tryResolve(Part.self, name: .init(other))
                        })
                }
                let errors = Box<[ResolutionError]>([])
                Threads.run(2) { index in
                    enter { resolver in
                        if let error = resolver.failure(Part.self, name: index == 0 ? "a" : "b") {
                            errors.append(error)
                        }
                    }
                }
                Child.require(
                    errors.value.map(\.code) == [.circularDependency, .circularDependency], "\(errors.value)")
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a service that needs itself is a dependency cycle`(_ place: Place) {
        place.run { resolver, enter in
            place.set(resolver.register { resolver -> Whole in Whole(try resolver.tryResolve()) })
            place.set(resolver.register { resolver -> Part in try resolver.tryResolve(Whole.self).part })
            enter { #expect($0.failure(Whole.self)?.code == .circularDependency) }
        }
    }

    @Test(arguments: Place.allCases)
    func `a factory that fails is called again`(_ place: Place) {
        place.run { resolver, enter in
            let count = Box(0)
            place.set(
                resolver.register { () throws -> Part in
                    count.increment()
                    if count.value == 1 { throw CancellationError() }
                    return Part()
                })
            enter { resolver in
                #expect(resolver.failure(Part.self)?.code == .factoryFailed)
                let part = try? resolver.tryResolve(Part.self)
                #expect(part != nil && part === resolver.optional(Part.self))
            }
            #expect(count.value == 2)
        }
    }

    /// The change comes from the factory itself, so it comes while the instance is being created.
    @Test(arguments: Place.allCases, ["reset", "registered again", "unregistered"])
    func `a creation that is overtaken by a change keeps nothing`(_ place: Place, _ change: String) {
        place.run { resolver, enter in
            let isFirst = Box(true)
            place.set(
                resolver.register { [unowned main = resolver] (resolver: Resolver) -> Part in
                    guard isFirst.value else { return Part() }
                    isFirst.set(false)
                    switch change {
                    case "reset": resolver.reset(Part.self)
                    case "registered again": place.set(main.register { Part() })
                    default: main.unregister(Part.self)
                    }
                    return Part()
                })
            enter { resolver in
                let part = resolver.resolve(Part.self)
                #expect(resolver.optional(Part.self) !== part)
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `one instance is kept for each argument`(_ place: Place) {
        place.run { resolver, enter in
            place.set(resolver.register { (_: Resolver, _: Resolver.Args) -> Part in Part() }.scopeOnArguments())
            enter { resolver in
                let (one, two) = (resolver.resolve(Part.self, args: 1), resolver.resolve(Part.self, args: 2))
                #expect(one !== two)
                #expect(one === resolver.resolve(Part.self, args: 1))
            }
        }
    }
}
