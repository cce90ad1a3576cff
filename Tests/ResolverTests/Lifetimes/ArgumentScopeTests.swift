import Resolver
import Testing

/// `scopeOnArguments`: which arguments are equal, and which are refused.
@Suite struct ArgumentScopeTests {
    /// An object with the number of its argument.
    final class Page: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private func pages(_ scope: ResolverScope = .cached) -> Resolver {
        let resolver = Resolver()
        resolver.register { (_, args) in Page(args()) }.scope(scope).scopeOnArguments()
        return resolver
    }

    /// Returns a resolver that creates one leaf per argument of any type.
    private func leaves() -> Resolver {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.cached).scopeOnArguments()
        return resolver
    }

    @Test(arguments: KeepingScope.allCases)
    func `each argument has its own instance in every caching scope`(_ keeping: KeepingScope) {
        let resolver = pages(keeping.make())
        let one: Page = resolver.resolve(args: 1), two: Page = resolver.resolve(args: 2)
        #expect(one.number == 1)
        #expect(two.number == 2)
        #expect(resolver.resolve(Page.self, args: 1) === one)
        #expect(resolver.resolve(Page.self, args: 2) === two)
    }

    @Test func `a call without arguments has its own instance`() {
        let resolver = leaves()
        let none: Leaf = resolver.resolve(), one: Leaf = resolver.resolve(args: 1)
        #expect(none !== one)
        #expect(resolver.resolve(Leaf.self) === none)
        #expect(resolver.resolve(Leaf.self, args: nil) === none)
        #expect(resolver.existing(Leaf.self) === none)
        #expect(resolver.resolve(Leaf.self, args: 1) === one)
    }

    @Test func `values are cached for each argument`() {
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { made.increment() }.scope(.cached).scopeOnArguments()
        #expect([1, 2, 1].map { resolver.resolve(Int.self, args: $0) } == [1, 2, 1])
    }

    // MARK: Equal arguments

    @Test func `keyed arguments of mixed types are equal if all keys and values are equal`() {
        let resolver = leaves()
        let first: Leaf = resolver.resolve(args: ["title": "News", "size": 3] as [String: Any])
        #expect(resolver.resolve(Leaf.self, args: ["size": 3, "title": "News"] as [String: Any]) === first)
        #expect(resolver.resolve(Leaf.self, args: ["title": "News", "size": 4] as [String: Any]) !== first)
        #expect(resolver.resolve(Leaf.self, args: ["title": "News"] as [String: Any]) !== first)
        #expect(resolver.resolve(Leaf.self, args: ["titel": "News", "size": 3] as [String: Any]) !== first)
        #expect(resolver.resolve(Leaf.self, args: ["title": "News", "size": 3.0] as [String: Any]) !== first)
    }

    @Test func `keyed arguments of one type are equal if all keys and values are equal`() {
        let resolver = leaves()
        let first: Leaf = resolver.resolve(args: ["width": 1, "height": 2])
        #expect(resolver.resolve(Leaf.self, args: ["height": 2, "width": 1]) === first)
        #expect(resolver.resolve(Leaf.self, args: ["width": 2, "height": 1]) !== first)
    }

    @Test func `keyed arguments are equal whatever the dictionary's value type is`() {
        let resolver = leaves()
        let first: Leaf = resolver.resolve(args: ["width": 1, "height": 2])
        #expect(resolver.resolve(Leaf.self, args: ["width": 1, "height": 2] as [String: Any]) === first)
        #expect(resolver.resolve(Leaf.self, args: ["width": 1, "height": 2] as [String: Any?]) === first)
    }

    @Test func `a keyed argument may be nil`() throws {
        let resolver = leaves()
        let none: Leaf = try resolver.tryResolve(args: ["title": nil, "size": 3] as [String: Any?])
        #expect(try resolver.tryResolve(Leaf.self, args: ["title": nil, "size": 3] as [String: Any?]) === none)
        #expect(try resolver.tryResolve(Leaf.self, args: ["title": "News", "size": 3] as [String: Any?]) !== none)
    }

    @Test func `a typed nil is a keyed argument`() throws {
        let resolver = leaves()
        let none: Leaf = try resolver.tryResolve(args: ["size": nil as Int?])
        #expect(try resolver.tryResolve(Leaf.self, args: ["size": nil as Int?]) === none)
        #expect(try resolver.tryResolve(Leaf.self, args: ["size": 1 as Int?]) !== none)
    }

    @Test func `equal values of different types are different arguments`() {
        let resolver = leaves()
        let arguments: [any Sendable] = [1, 1 as Int8, 1 as UInt, 1.0, 1 as Float, "1", true, [1], [1 as Int8]]
        let made = arguments.map { resolver.resolve(Leaf.self, args: $0) }
        #expect(Set(made.map(ObjectIdentifier.init)).count == arguments.count)
        #expect(arguments.indices.allSatisfy { resolver.resolve(Leaf.self, args: arguments[$0]) === made[$0] })
    }

    @Test func `different arguments with equal hashes have their own instances`() {
        struct Collision: Hashable {
            let number: Int
            func hash(into hasher: inout Hasher) {}
        }
        let resolver = leaves()
        let made = (0..<300).map { resolver.resolve(Leaf.self, args: Collision(number: $0)) }
        #expect(Set(made.map(ObjectIdentifier.init)).count == 300)
        #expect((0..<300).allSatisfy { resolver.resolve(Leaf.self, args: Collision(number: $0)) === made[$0] })
    }

    @Test func `arguments passed on by a factory equal the original arguments`() {
        final class Shelf: Sendable {
            let page: Page
            init(_ page: Page) { self.page = page }
        }
        let resolver = pages()
        resolver.register { (r, args) in Shelf(r.resolve(args: args)) }
        #expect(resolver.resolve(Shelf.self, args: 1).page === resolver.resolve(Page.self, args: 1))
        #expect(resolver.resolve(Shelf.self, args: ["page": 2]).page.number == 2)
    }

    @Test func `passing on no arguments equals a call without arguments`() throws {
        final class Shelf: Sendable {
            let leaf: Leaf
            init(_ leaf: Leaf) { self.leaf = leaf }
        }
        let resolver = leaves()
        resolver.register { (r, args) in Shelf(try r.tryResolve(args: args)) }
        #expect(try resolver.tryResolve(Shelf.self).leaf === resolver.resolve(Leaf.self))
    }

    @Test func `an alias passes arguments on to its service`() {
        final class Actor: Role {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        let resolver = Resolver()
        resolver.register { (_, args) in Actor(args()) }.implements(Role.self).scope(.cached).scopeOnArguments()
        let first: Role = resolver.resolve(args: 1), second: Role = resolver.resolve(args: 2)
        #expect(first !== second)
        #expect(resolver.resolve(Actor.self, args: 1) === first)
        #expect(resolver.resolve(Role.self, args: 2) === second)
    }

    @Test func `two services with the same argument may refer to each other by properties`() throws {
        final class Other: Sendable {
            let leaf = Box<Leaf?>(nil)
        }
        let resolver = Resolver()
        resolver.register { Leaf() }
            .resolveProperties { r, leaf, args in _ = try r.tryResolve(Other.self, args: args) }
            .scope(.cached).scopeOnArguments()
        resolver.register { Other() }
            .resolveProperties { r, other, args in other.leaf.set(try r.tryResolve(Leaf.self, args: args)) }
            .scope(.cached).scopeOnArguments()
        let leaf: Leaf = try resolver.tryResolve(args: 1)
        #expect(resolver.resolve(Other.self, args: 1).leaf.value === leaf)
    }

    // MARK: Refused arguments

    @Test func `an argument that is not Hashable is an error and the factory does not run`() {
        struct Plain: Sendable {}
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { made.increment() }.scope(.cached).scopeOnArguments()
        func code(_ argument: any Sendable) -> ResolutionError.Code? {
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(Int.self, args: argument) }?.code
        }
        #expect(code(Plain()) == .argumentNotHashable)
        #expect(code([Plain()]) == .argumentNotHashable)
        #expect(code(["size": 1, "plain": Plain()] as [String: any Sendable]) == .argumentNotHashable)
        #expect(code({} as @Sendable () -> Void) == .argumentNotHashable)
        #expect(made.value == 0)
    }

    @Test func `an argument that does not equal itself is an error and the factory does not run`() {
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { made.increment() }.scope(.cached).scopeOnArguments()
        for argument: any Sendable in [Double.nan, Float.nan, ["size": Double.nan]] {
            let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Int.self, args: argument) }
            #expect(error?.code == .argumentNotHashable)
        }
        #expect(made.value == 0)
    }

    @Test func `without scopeOnArguments an argument need not be Hashable`() {
        struct Plain: Sendable {}
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.cached)
        #expect(resolver.resolve(Leaf.self, args: Plain()) === resolver.resolve(Leaf.self, args: Double.nan))
    }

    @Test func `resolve traps with a message if an argument is not Hashable`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            struct Plain {}
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.cached).scopeOnArguments()
            _ = resolver.resolve(Leaf.self, args: Plain())
        }
        let text = try result.errorText
        #expect(text.contains("but this Plain is not Hashable, or is not equal to itself."))
    }

    // MARK: Arguments of a declared type

    @Test func `scopeOnArguments with a type caches one instance for each argument of that type`() {
        let resolver = Resolver()
        resolver.register { (_, args) in Page(args()) }.scope(.cached).scopeOnArguments(Int.self)
        let one: Page = resolver.resolve(args: 1)
        #expect(resolver.resolve(Page.self, args: 2).number == 2)
        #expect(resolver.resolve(Page.self, args: 1) === one)
        #expect(resolver.resolve(Page.self, args: ["number": 1]) === one, "the only one of the keyed ones")
    }

    @Test func `scopeOnArguments with a type refuses arguments of another type`() {
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { made.increment() }.scope(.cached).scopeOnArguments(Int.self)
        for argument: any Sendable in ["1", 1.0, ["number": "1"]] {
            let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Int.self, args: argument) }
            #expect(error?.code == .wrongArgumentType)
        }
        let nan = #expect(throws: ResolutionError.self) {
            resolver.register { made.increment() }.scope(.cached).scopeOnArguments(Double.self)
            _ = try resolver.tryResolve(Int.self, args: Double.nan)
        }
        #expect(nan?.code == .argumentNotHashable)
        #expect(made.value == 0)
    }
}
