import Resolver
import Testing

@Suite struct ThrowingFactoryTests {
    let resolver = Resolver()

    @Test func `every kind of factory and property block may throw`() {
        resolver.register(Page.self, name: "0") { throw Unplugged(socket: 0) }
        resolver.register(Page.self, name: "1") { _ in throw Unplugged(socket: 1) }
        resolver.register(Page.self, name: "2") { _, _ in throw Unplugged(socket: 2) }
        resolver.register(name: "3") { Page() }.resolveProperties { _, _ in throw Unplugged(socket: 3) }
        resolver.register(name: "4") { Page() }.resolveProperties { _, _, _ in throw Unplugged(socket: 4) }
        for socket in 0...4 {
            let error = #expect(throws: ResolutionError.self) {
                try resolver.tryResolve(Page.self, name: .name(fromString: "\(socket)"))
            }
            expect(error?.underlying as? Unplugged, is: Unplugged(socket: socket))
        }
    }

    @Test func `tryResolve throws a typed ResolutionError`() {
        do {
            _ = try resolver.tryResolve(Page.self)
            Issue.record("An unregistered service was resolved.")
        } catch {
            let code: ResolutionError.Code = error.code
            expect(code, is: .notRegistered)
        }
    }

    @Test func `an argument of an optional type may be missing`() {
        final class Titled: Sendable {
            let title: String?
            nonisolated init(_ title: String?) { self.title = title }
        }
        resolver.register(name: "keyed") { _, args in Titled(args("title")) }
        resolver.register(name: "single") { _, args in Titled(args()) }
        expect(resolver.resolve(Titled.self, name: "keyed", args: ["other": 1]).title, is: nil)
        expect(resolver.resolve(Titled.self, name: "keyed").title, is: nil)
        expect(resolver.resolve(Titled.self, name: "single").title, is: nil)
        expect(resolver.resolve(Titled.self, name: "single", args: "news").title, is: "news")
    }
}
