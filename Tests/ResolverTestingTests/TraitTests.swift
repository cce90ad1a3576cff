import Resolver
import ResolverTesting
import Testing

@Suite struct TraitTests {
    @Test func `the trait applies to each case and not to a suite`() {
        let trait = ResolverTrait.resolver
        expect(trait.isRecursive)
        expect(trait.scopeProvider(for: Test.current!, testCase: nil), is: nil)
        expect(trait.scopeProvider(for: Test.current!, testCase: Test.Case.current) != nil)
    }

    @Test func `the error of a test passes through the trait, and one of its closure fails the test before it begins`()
        async
    {
        await #expect(throws: Failure()) { try await inTest { throw Failure() } }
        let hasBegun = Box(0)
        await #expect(throws: Failure()) {
            try await inTest(.resolver { _ in throw Failure() }) { hasBegun.increment() }
        }
        expect(hasBegun.value, is: 0)
    }

    @Test func `the trait's closure runs in the test, after which main and root are restored`() async throws {
        let main = Resolver.main, root = Resolver.root
        let trait = ResolverTrait.resolver { resolver in
            expect(resolver === Resolver.main)
            Resolver.register { "static" }
            ScopeContext.shared.setCurrent(.session, id: "Ada")
            Resolver.root = Resolver(child: .main)
        }
        try await inTest(trait) {
            expect(Resolver.resolve(String.self), is: "static")
            expect(ScopeContext.shared.currentID(for: .session), is: "Ada")
            expect(Resolver.root !== Resolver.main)
            Resolver.main = Resolver()
        }
        expect(Resolver.main === main)
        expect(Resolver.root === root)
    }

    @Test(
        .resolver { _ in
            Resolver.main = Resolver()
            Resolver.root = Resolver.main
        })
    func `an empty main has no registration of the app`() async {
        await expect(App.main.optional(Note.self, name: .printed) != nil)
        expect(Resolver.optional(Note.self, name: .printed), is: nil)
        Resolver.register { Note(by: "test") }.scope(.cached)
        let note: Note = Resolver.resolve()
        ResolverScope.cached.reset()
        expect(Resolver.resolve(Note.self) !== note)
        Resolver.reset()
        expect(Resolver.optional(Note.self), is: nil)
        await expect(App.main.optional(Note.self, name: .printed) != nil)
    }

    @Test func `a test's instances, and those of its open session, are released at its end`() async throws {
        let released = Box<[String]>([])
        try await inTest {
            ScopeContext.shared.setCurrent(.session, id: "Ada")
            for keeping in [Keeping.session, .cached, .application, .custom] {
                keeping.register(on: .main, by: keeping.rawValue).onRelease { released.append($0.author) }
                _ = Resolver.resolve(Note.self, name: keeping.name)
            }
            expect(released.value.isEmpty)
        }
        expect(released.value.filter { $0 != "session" }, is: ["custom", "application", "cached"])
        expect(released.value.count, is: 4)
    }
}
