import Resolver
import Testing

@Suite struct ThrowingFactoryTests {
    let resolver = Resolver()

    @Test func `a factory's error is the underlying error`() {
        resolver.register { () throws -> Page in throw Unplugged(socket: 1) }
        let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self) }
        #expect(error?.code == .factoryFailed)
        #expect(error?.underlying as? Unplugged == Unplugged(socket: 1))
        #expect(error?.path.map(\.service) == [String(reflecting: Page.self)])
    }

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
            #expect(error?.underlying as? Unplugged == Unplugged(socket: socket))
        }
    }

    @Test func `an error passes through the factories that pass it on`() {
        resolver.register { () throws -> Page in throw Unplugged(socket: 5) }
        resolver.register { r in try Sign(label: r.tryResolve(Page.self).label) }
        let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Sign.self) }
        #expect(error?.underlying as? Unplugged == Unplugged(socket: 5))
        #expect(error?.path.map(\.service) == [String(reflecting: Sign.self), String(reflecting: Page.self)])
    }

    @Test func `a factory may handle a dependency's error`() {
        resolver.register { () throws -> Page in throw Unplugged(socket: 6) }
        resolver.register { r in Sign(label: (try? r.tryResolve(Page.self))?.label ?? "spare") }
        #expect(resolver.resolve(Sign.self).label == "spare")
    }

    @Test func `tryResolve distinguishes a missing service from nil`() {
        resolver.register(Page.self) { nil }
        let fromNil = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self) }
        let fromNothing = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
        #expect(fromNil?.code == .factoryReturnedNil)
        #expect(fromNothing?.code == .notRegistered)
    }

    @Test func `tryResolve throws a typed ResolutionError`() {
        do {
            _ = try resolver.tryResolve(Page.self)
            Issue.record("An unregistered service was resolved.")
        } catch {
            let code: ResolutionError.Code = error.code
            #expect(code == .notRegistered)
        }
    }

    @Test func `arguments can be read with errors instead of traps`() {
        resolver.register { _, args in try Page(args.tryGet("title"), count: args.tryGet("size")) }
        func code(_ args: Any?) -> ResolutionError.Code? {
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self, args: args) }?.code
        }
        #expect(code(nil) == .missingArgument)
        #expect(code(["title": "news"]) == .missingArgument)
        #expect(code(["title": 1, "size": 1]) == .wrongArgumentType)
        #expect((try? resolver.tryResolve(Page.self, args: ["title": "news", "size": 3]))?.count == 3)
    }

    @Test func `reading one of several arguments without a key is an error`() {
        resolver.register { _, args in try Page(args.tryGet()) }
        let error = #expect(throws: ResolutionError.self) {
            try resolver.tryResolve(Page.self, args: ["title": "news", "size": "3"])
        }
        #expect(error?.code == .ambiguousArgument)
    }
}
