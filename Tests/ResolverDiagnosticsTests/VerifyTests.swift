import Resolver
import ResolverDiagnostics
import Testing

/// Problems with the smallest wirings that have them, and the nearest ones without. `VerifyTests+Reports` has each kind once.
@Suite struct VerifyTests {
    final class A: Sendable { init() {} }
    final class B: Sendable { init(_ a: A) {} }
    final class C: Sendable { init(_ b: B) {} }
    final class Parent: Sendable { init(_ child: Child) {} }
    final class Child: Sendable { init(_ parent: Parent) {} }
    final class Remote: Sendable { init() async {} }
    final class User: Sendable { init(_ remote: Remote) {} }
    final class AsyncUser: Sendable { init(_ remote: Remote) async {} }
    @MainActor final class Model { init() {} }
    @MainActor final class Page { init(_ model: Model) {} }
    final class Worker: @unchecked Sendable { init(_ model: Model) {} }
    final class AsyncWorker: Sendable { init(_ page: A) async {} }
    final class Optionals: Sendable { init(_ a: A?, _ resolver: Resolver) {} }
    final class Left: Sendable { init(_ center: Center) {} }
    final class Right: Sendable { init(_ center: Center) {} }
    final class Center: Sendable { init(_ left: Left, _ right: Right) {} }
    protocol Shape: Sendable {}
    protocol Figure: Sendable {}
    final class Circle: Shape, Figure { init() {} }
    final class Frame: Sendable { init(_ shape: any Shape) {} }

    @globalActor actor Other { static let shared = Other() }
    @MainActor final class Poster { init() {} }
    final class Twice: Sendable { init(_ a: A, _ same: A) {} }
    final class OwnCache: ResolverScopeCache, @unchecked Sendable {}

    let resolver = Resolver(), own = "ResolverDiagnosticsTests.VerifyTests"

    private func problems() -> [String] {
        let report: WiringReport
        do { report = try resolver.verify() } catch let error as WiringReport { report = error } catch {
            return ["\(error)"]
        }
        return report.problems.map { problem in
            let path = problem.path.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
            return "\(problem.kind) \(path.joined(separator: ">"))"
        }
    }

    /// A wiring with its problems, and a change that leaves none.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String, problems: [String]
        let register: @Sendable (Resolver) -> Void
        let change: (@Sendable (Resolver) -> Void)?

        init(
            _ description: String, _ problems: [String], _ register: @escaping @Sendable (Resolver) -> Void,
            without change: (@Sendable (Resolver) -> Void)? = nil
        ) { (testDescription, self.problems, self.register, self.change) = (description, problems, register, change) }
    }

    /// A macro's arguments would lose their source lines, which order the problems.
    private static let rows = [
        Row("a factory and a block of different actors", ["wrongIsolation Poster"]) {
            $0.register { @MainActor in Poster() }.resolveProperties { @Other _, _ in }
        } without: {
            $0.register { @MainActor in Poster() }.resolveProperties { @MainActor _, _ in }
        },
        Row("a named need without a registration", ["missing B>A \"blue\""]) {
            $0.register { A() }
            $0.register { B(A()) }.needs(A.self, name: "blue")
        } without: {
            $0.register(name: "blue") { A() }
        },
        Row("a resolver with a name that is not registered", ["missing A>Resolver \"feature\""]) {
            $0.register { A() }.needs(Resolver.self, name: "feature")
        },
        Row("a missing service that is needed twice", ["missing B>A"]) {
            $0.register { B(A()) }.needs(A.self).needs(A.self)
        },
        Row("a problem with a service that is needed twice", ["captive Twice>A"]) {
            $0.autoregister(A.init).scoped(to: .request)
            $0.autoregister(Twice.init).scope(.application)
        },
        Row("a captive in a cache of a class of its own", ["captive B>A"]) {
            $0.autoregister(A.init).scoped(to: .request)
            $0.autoregister(B.init).scope(OwnCache())
        } without: {
            $0.autoregister(B.init).scope(.graph)
        },
        Row("a captive in a resolver whose cache has a class of its own", ["captive B>A"]) {
            $0.cache = OwnCache()
            $0.autoregister(A.init).scoped(to: .request)
            $0.autoregister(B.init).scope(.container)
        },
        Row("a captive behind a registered optional", ["captive Optionals>A"]) {
            $0.autoregister(A.init).scoped(to: .request)
            $0.register(A?.self) { A?.none }
            $0.autoregister(Optionals.init).scope(.application)
        },
        Row("an optional need and a need of the resolver", []) {
            $0.autoregister(Optionals.init)
            $0.register { B(A()) }.needs(A?.self)
        },
        Row("a need that a child provides", []) {
            let child = Resolver()
            child.register { A() }
            $0.add(child: child)
            $0.autoregister(B.init)
        },
        Row("a service that needs itself, and one that needs it", ["circularDependency A>A"]) {
            $0.register { A() }.needs(A.self)
            $0.autoregister(B.init)
        },
        Row("a dependency cycle that any of its services accepts", []) {
            $0.autoregister(Parent.init)
            $0.autoregister(Child.init).accepting(.circularDependency, because: "a block resolves it")
        },
        Row("an accepted dependency cycle beside another", ["circularDependency Center>Right>Center"]) {
            $0.autoregister(Center.init)
            $0.autoregister(Left.init).accepting(.circularDependency, because: "a property")
            $0.autoregister(Right.init)
        },
        Row("another dependency cycle beside an accepted one", ["circularDependency Center>Left>Center"]) {
            $0.autoregister(Center.init)
            $0.autoregister(Left.init)
            $0.autoregister(Right.init).accepting(.circularDependency, because: "a property")
        },
        Row("a captive behind a protocol", ["captive Frame>Shape>Circle"]) {
            $0.autoregister(Circle.init).scoped(to: .screen).implements((any Shape).self)
            $0.autoregister(Frame.init).scope(.cached)
        },
        Row("an asynchronous need of a synchronous factory", ["requiresAsync User>Remote"]) {
            $0.autoregister(Remote.init).scope(.application)
            $0.autoregister(User.init)
        } without: {
            $0.autoregister(User.init).accepting(.requiresAsync, because: "it is created when the app starts")
        },
        Row("an asynchronous need of an asynchronous factory", []) {
            $0.autoregister(Remote.init).scope(.application)
            $0.autoregister(AsyncUser.init)
        },
        Row("an actor's service as a need of a nonisolated factory", ["wrongIsolation Worker>Model"]) {
            $0.autoregister(Model.init)
            $0.register { Worker(try Resolver.main.tryResolve()) }.needs(Model.self)
        } without: {
            $0.register { @MainActor in Worker(Model()) }.needs(Model.self)
            $0.autoregister(Page.init)
            $0.autoregister(AsyncWorker.init).needs(Model.self)
            $0.register { A() }
        },
        Row("a modifier without effect", ["modifierWithoutEffect A", "modifierWithoutEffect A \"b\""]) {
            $0.register { A() }.scope(.unique).timeToLive(5).onRelease { _ in }
            $0.register(name: "b") { A() }.scope(.shared).onRelease { _ in }
        } without: {
            $0.register { A() }.scope(.cached).timeToLive(5).onRelease { _ in }
            $0.register(name: "b") { A() }.scope(.shared).timeToLive(5)
        },
        Row("a modifier without effect in the resolver's cache", ["modifierWithoutEffect A"]) {
            $0.cache = ResolverScope.shared
            $0.register { A() }.scope(.container).onRelease { _ in }
        } without: {
            $0.cache = ResolverScopeCache()
        },
        Row("an accepted problem that does not exist", ["acceptedInVain A"]) {
            $0.autoregister(A.init).accepting(.captive, because: "it has always been so")
        } without: {
            $0.register { A() }.accepting(.captive, because: "what this closure needs is not known")
            $0.register(name: "b") { A() }.accepting(.failed, because: "there is no server here")
        },
        Row("an alias of itself", ["circularDependency Shape>Shape"]) {
            $0.register { Circle() as any Shape }.implements((any Shape).self)
        },
        Row("aliases of each other", ["circularDependency Shape>Circle>Shape"]) {
            let circle = $0.register { Circle() }
            let shape = $0.register { Circle() as any Shape }
            circle.implements((any Shape).self)
            shape.implements(Circle.self)
            // An alias that leads to these.
            circle.implements(A.self)
        },
        Row("errors before warnings", ["missing Parent>Child", "missing User>Remote", "modifierWithoutEffect A"]) {
            $0.register { A() }.scope(.unique).timeToLive(5)
            $0.autoregister(Parent.init)
            $0.autoregister(User.init)
        },
    ]

    @Test(arguments: rows)
    func `verify reports all problems of a wiring and none after a change`(_ row: Row) {
        row.register(resolver)
        expect(problems(), is: row.problems)
        row.change?(resolver)
        expect(row.change == nil || problems() == [])
    }

    @Test func `a chain of twenty thousand services is verified`() {
        for number in 0..<20_000 {
            let registration = resolver.register(name: .init("\(number)")) { A() }
            if number > 0 { registration.needs(A.self, name: .init("\(number - 1)")) }
        }
        expect(problems(), is: [])
        resolver.register(name: "0") { A() }.needs(A.self, name: "19999")
        expect(problems().count, is: 1)
    }

    @Test func `verify creates no instance`() throws {
        let resolver = Resolver()
        resolver.register { () -> A in
            Issue.record("the factory has run")
            return A()
        }.scope(.cached)
        resolver.autoregister(B.init)
        try resolver.verify()
        expect(resolver.registrations.allSatisfy { !$0.isKept })
    }
}
