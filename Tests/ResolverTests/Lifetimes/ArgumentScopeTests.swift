import Resolver
import Testing

@Suite struct ArgumentScopeTests {
    private typealias Page = Holder<Int>

    @Test func `keyed arguments are equal if keys, values and types of values are, in any dictionary`() throws {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.cached).scopeOnArguments()
        func leaf(_ args: Any) throws -> Leaf { try resolver.tryResolve(args: args) }
        let first = try leaf(["width": 1, "height": 2])
        try expect(leaf(["width": 1, "height": 2] as [String: Any]) === first)
        try expect(leaf(["width": 1, "height": 2] as [String: Any?]) === first)
        try expect(leaf(["width": 2, "height": 1]) !== first)
        try expect(leaf(["width": 1, "height": 2.0] as [String: Any]) !== first)
        let none = try leaf(["size": nil as Int?])
        try expect(leaf(["size": nil as Int?]) === none)
        try expect(leaf(["size": nil as Any?] as [String: Any?]) !== leaf(["size": 1 as Int?]))
    }

    @Test func `arguments passed on by a factory equal the original arguments`() throws {
        let resolver = Resolver()
        resolver.register { (_, args) in Page(args.optional() ?? 0) }.scope(.cached).scopeOnArguments()
        resolver.register { (r, args) in Holder<Page>(try r.tryResolve(args: args)) }
        expect(resolver.resolve(Holder<Page>.self, args: 1).part === resolver.resolve(Page.self, args: 1))
        expect(resolver.resolve(Holder<Page>.self, args: ["page": 2]).part.part, is: 2)
        try expect(resolver.tryResolve(Holder<Page>.self).part === resolver.resolve(Page.self))
    }

    @Test func `a refused argument is an error and the factory does not run, and without arguments none is refused`() {
        struct Plain: Sendable {}
        let made = Box(0), resolver = Resolver()
        func expectError(_ code: ResolutionError.Code, _ arguments: [any Sendable]) {
            for argument in arguments {
                expect(resolver.failure(Int.self, args: argument)?.code, is: code, "\(argument)")
            }
        }
        let plain: [any Sendable] = [Plain(), [Plain()], ["size": 1, "plain": Plain()] as [String: any Sendable]]
        let unequal: [any Sendable] = [Double.nan, Float.nan, ["size": Double.nan]]
        resolver.register { made.increment() }.scope(.cached).scopeOnArguments()
        expectError(.argumentNotHashable, plain + unequal + [{} as @Sendable () -> Void])
        resolver.register { made.increment() }.scope(.cached).scopeOnArguments(Int.self)
        expectError(.wrongArgumentType, ["1", 1.0, ["number": "1"]])
        resolver.register { made.increment() }.scope(.cached).scopeOnArguments(Double.self)
        expectError(.argumentNotHashable, [Double.nan])
        expect(made.value, is: 0)
        resolver.register { made.increment() }.scope(.cached)
        for argument in plain + unequal { expect(resolver.optional(Int.self, args: argument), is: 1) }
    }

    @Test func `scopeOnArguments with a type caches one instance for each argument of that type`() {
        let resolver = Resolver()
        resolver.register { (_, args) in Page(args()) }.scope(.cached).scopeOnArguments(Int.self)
        let one: Page = resolver.resolve(args: 1)
        expect(resolver.resolve(Page.self, args: 2).part, is: 2)
        expect(resolver.resolve(Page.self, args: 1) === one)
        expect(resolver.resolve(Page.self, args: ["number": 1]) === one, "the only one of the keyed ones")
    }

    @Test func `scopeOnArguments with AnyHashable compares the values that it holds by their types`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.cached).scopeOnArguments(AnyHashable.self)
        let one: Leaf = resolver.resolve(args: 1)
        expect(resolver.resolve(Leaf.self, args: 1.0) !== one)
        expect(resolver.resolve(Leaf.self, args: AnyHashable(1)) === one)
    }
}
