import Resolver
import Testing

@Suite struct ArgumentTests {
    @Test func `a factory reads one argument in three spellings`() {
        row("news", args: "news") { $0.register { (_, args) in Page(args()) } }
        row("news", args: "news") { $0.register { (_, args) in Page(args.get()) } }
        row("news", args: "news") { $0.register { Page($1.optional() ?? "untitled") } }
        row("untitled", args: nil) { $0.register { Page($1.optional() ?? "untitled") } }
        let count: Int? = 5
        row("page", count: 5, args: count) { $0.register { (_, args) in Page(count: args.get()) } }
        row("fixed", args: "news") { $0.register { Page("fixed") } }
    }

    @Test func `an argument that is read as Any is the argument and no optional`() throws {
        let resolver = Resolver()
        resolver.register(String.self) { (_, args) in "\(try args.tryGet() as Any)" }
        resolver.register(String.self, name: "key") { (_, args) in "\(try args.tryGet("size") as any Sendable)" }
        try expect(resolver.tryResolve(String.self, args: 3), is: "3")
        try expect(resolver.tryResolve(String.self, name: "key", args: ["size": 3]), is: "3")
    }

    @Test func `missing arguments that a dependency cycle passes on are no arguments`() {
        for scope in [ResolverScope.graph, .unique, .cached, .shared] {
            let resolver = Resolver()
            resolver.register(Page.self) { (resolver, args) in Page("\(try resolver.tryResolve(Int.self, args: args))")
            }
            .scope(scope)
            resolver.register(Int.self) { (resolver, args) in try resolver.tryResolve(Page.self, args: args).count }
            let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self) }
            expect(error?.code, is: .circularDependency)
        }
    }

    @Test func `a factory reads several arguments by their keys`() {
        let both: [String: Any] = ["title": "news", "size": 3]
        row("news", count: 3, args: both) { $0.register { (_, args) in Page(args("title"), count: args("size")) } }
        row("news", count: 3, args: both) {
            $0.register { (_, args) in Page(args.get("title"), count: args.get("size")) }
        }
        row("untitled", count: 3, args: ["size": 3]) {
            $0.register { Page($1.optional("title") ?? "untitled", count: $1.optional("size") ?? 1) }
        }
    }

    @Test func `a dictionary of one type is a set of arguments with keys`() {
        for isWanted in [true, false] {
            row("\(isWanted)", args: ["wanted": isWanted]) {
                $0.register { (_, args) in Page("\(args.optional("wanted") == true)") }
            }
        }
        row("news", args: ["title": "news"]) { $0.register { (_, args) in Page(args()) } }
    }

    @Test func `an optional argument is the argument or nil`() {
        let both = ["a": 1, "b": 2]
        let args = Resolver.Args(both), dictionary: [String: Int]? = args.optional(), text: String? = args.optional()
        expect(dictionary, is: both)
        expect(text, is: nil)
        let none: Int? = Resolver.Args(["a": Optional<Int>.none as Any]).optional("a")
        expect(none, is: nil)
        let nested: Int?? = Resolver.Args(3).optional()
        expect(nested, is: .some(.some(3)))
    }

    @Test func `wrapped arguments are unwrapped once`() {
        let args = Resolver.Args(Resolver.Args("news")), title: String = args()
        expect(title, is: "news")
    }

    /// Passes an argument to a factory that asks for its type, as it is and wrapped.
    private func arrives<Argument: Equatable & SendableMetatype>(
        _ argument: Argument, at location: Testing.SourceLocation = #_sourceLocation
    ) {
        let resolver = Resolver()
        resolver.register { (_, args) in Received<Argument>(value: args()) }
        for args: Any in [argument, Resolver.Args(argument)] {
            let received = resolver.resolve(Received<Argument>.self, args: args)
            expect(received.value, is: argument, sourceLocation: location)
        }
    }

    @Test func `an argument of any size and alignment arrives as it was passed`() {
        arrives(UInt8(7))
        arrives("a text that is too long for a word of its own")
        arrives(Large(text: "large", numbers: [1, 2, 3], first: 1, last: 4))
        arrives(SIMD2<Double>(1, 2))
        arrives(SIMD16<Double>(repeating: 0.5))
        arrives(Aligned(flag: true, lanes: SIMD8(repeating: 3)))
        arrives(ObjectIdentifier(ArgumentSubject.self))
        arrives([["a": 1], ["b": 2]])
        arrives(ArgumentSubject(name: "an object"))
        arrives(Optional("a text"))
    }
}

nonisolated private struct Received<Value>: @unchecked Sendable { let value: Value }

nonisolated private struct Large: Equatable { let text: String, numbers: [Int], first: Int, last: Int }

nonisolated private struct Aligned: Equatable { let flag: Bool, lanes: SIMD8<Double> }

nonisolated private final class ArgumentSubject: Equatable {
    let name: String
    init(name: String) { self.name = name }
    static func == (left: ArgumentSubject, right: ArgumentSubject) -> Bool { left === right }
}
