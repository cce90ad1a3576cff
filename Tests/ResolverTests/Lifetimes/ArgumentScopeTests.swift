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
        try expect(leaf(["width": 1, "height": 2.0] as [String: Any]) !== first)
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

    @Test(arguments: ["reset", "register", "unregister"])
    func `a change by a release hook returns when the instances of all arguments are released`(_ change: String) {
        let log = Box<[String]>([]), cache = ResolverScopeCache(), resolver = Resolver()
        func register() -> ResolverOptions<Box<Int>> {
            resolver.register { (_, args) in Box(args()) }.scope(cache).scopeOnArguments(Int.self)
        }
        register().onRelease { [unowned resolver] (number: Box<Int>) in
            log.append("\(number.value)")
            guard number.value == 3 else { return }
            switch change {
            case "reset": cache.reset()
            case "register": resolver.register { Box(0) }
            default: resolver.unregister(Box<Int>.self)
            }
            log.append("changed")
        }
        for number in 1...3 { _ = resolver.resolve(Box<Int>.self, args: number) }
        cache.reset()
        expect(log.value, is: ["3", "2", "1", "changed"])
        cache.reset()
        expect(log.value.count, is: 4, "each hook runs once")
    }

    @Test func `a comparison that always resets and resolves lets the call end`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), isBusy = Box(false), alive = Box(0)
            resolver.register { (_, _) in Counted(alive) }.scope(.cached).scopeOnArguments()
            @Sendable func resolve(_ number: Int) {
                _ = resolver.resolve(Counted.self, args: CallingArgument(number: number, onCompare: compared))
            }
            @Sendable func compared() {
                if isBusy.exchange(true) { return }
                resolver.reset(Counted.self)
                resolve(77)
                isBusy.set(false)
            }
            for number in 1...20 { resolve(number) }
            isBusy.set(true)
            resolver.reset(Counted.self)
            Child.require(alive.value == 0, "\(alive.value) are alive")
        }
    }

    @Test func `two threads that need each other's argument both get an error`() async {
        await #expect(processExitsWith: .success) {
            let bothInside = Rendezvous(2), codes = Box<[ResolutionError.Code]>([]), resolver = Resolver()
            resolver.register { (r, args) -> Leaf in
                bothInside.arriveAndWait()
                return try r.tryResolve(args: 1 - args.get() as Int)
            }.scope(.cached).scopeOnArguments()
            Threads.run(2) { thread in
                if let error = resolver.failure(Leaf.self, args: thread) { codes.append(error.code) }
            }
            Child.require(codes.value == [.circularDependency, .circularDependency], "\(codes.value)")
        }
    }

    /// The second argument is compared with the first several times, because their hashes are equal. It is resolved
    /// during one comparison.
    @Test(arguments: [ResolverScope.cached, .container], 1...6)
    func `an argument that is resolved during its comparison has one instance`(_ scope: ResolverScope, _ moment: Int) {
        let resolver = Resolver(), comparisons = Box(Int.min), meanwhile = Box<Leaf?>(nil)
        resolver.register { Leaf() }.scope(scope).scopeOnArguments()
        let meddle: @Sendable () -> Void = {
            guard comparisons.increment() == moment else { return }
            meanwhile.set(resolver.resolve(Leaf.self, args: CallingArgument(number: 2)))
        }
        _ = resolver.resolve(Leaf.self, args: CallingArgument(number: 1, onCompare: meddle))
        comparisons.set(0)
        let leaf: Leaf = resolver.resolve(args: CallingArgument(number: 2))
        if let meanwhile = meanwhile.value { expect(leaf === meanwhile) }
        expect(resolver.resolve(Leaf.self, args: CallingArgument(number: 2)) === leaf)
    }

    enum Kind: String, CaseIterable, Codable { case reset, withoutInstance, ofReleasedObjects }

    @Test(.measuresHeap, arguments: Kind.allCases)
    func `a hundred thousand arguments do not grow the heap`(_ kind: Kind) async {
        await #expect(processExitsWith: .success) { [kind] in
            let resolver = Resolver(), last = Box(0)
            resolver.register { kind == .withoutInstance ? nil : Leaf() }
                .scope(kind == .ofReleasedObjects ? .shared : .cached).scopeOnArguments()
            await Child.requireFlatHeap("100 000 arguments, \(kind)", allowing: kind == .reset ? 4096 : 64 << 10) {
                for _ in 0..<100_000 { _ = resolver.optional(Leaf.self, args: last.increment()) }
                if kind == .reset { resolver.reset(scope: .cached) }
            }
        }
    }

    enum Form: String, CaseIterable { case object, boxedStructure, passedOn }

    @Test(arguments: Form.allCases, [false, true])
    func `arguments live as long as a factory keeps them`(_ form: Form, isFailing: Bool) {
        struct Large { let leaf: Leaf, words = (1, 2, 3) }
        let resolver = Resolver()
        nonisolated(unsafe) var kept: [Resolver.Args] = []
        weak var argument: Leaf?
        resolver.register { (_, args) -> OtherLeaf? in
            kept.append(args)
            if isFailing { throw CancellationError() }
            return OtherLeaf()
        }.scope(.unique)
        resolver.register(name: "outer") { (resolver, args) in
            try resolver.tryResolve(OtherLeaf.self, args: args) as OtherLeaf?
        }.scope(.unique)
        do {
            let leaf = Leaf()
            argument = leaf
            let args: Any = form == .boxedStructure ? Large(leaf: leaf) : leaf
            let made = try? resolver.tryResolve(OtherLeaf.self, name: form == .passedOn ? "outer" : nil, args: args)
            expect(made == nil, is: isFailing)
        }
        expect(argument != nil)
        expect(
            kept.map { ObjectIdentifier(form == .boxedStructure ? ($0() as Large).leaf : $0()) },
            is: argument.map { [ObjectIdentifier($0)] })
        kept = []
        expect(argument, is: nil)
    }

    @Test(arguments: [false, true])
    func `an argument is released when the instance is purged, or when none was made`(_ isFailing: Bool) {
        let time = ManualTime(), resolver = time.resolver()
        resolver.register { isFailing ? nil : OtherLeaf() }.scope(.cached).scopeOnArguments().timeToLive(10)
        weak var argument: Leaf?
        do {
            let leaf = Leaf()
            argument = leaf
            expect(resolver.optional(OtherLeaf.self, args: Identity(leaf)) == nil, is: isFailing)
        }
        expect(argument != nil)
        time.set(10)
        resolver.purgeExpired()
        expect(argument, is: nil)
    }

    /// One thread creates objects for different arguments and drops them at once, so their arguments are pruned often.
    /// Another thread repeatedly drops its objects for the same arguments and creates them again.
    @Test func `a shared object created again while other arguments are pruned is shared`() {
        let resolver = Resolver(), others = Box(16), differences = Box(0)
        resolver.register { Leaf() }.scope(.shared).scopeOnArguments()
        Threads.run {
            for _ in 0..<Sanitizer.rounds(8000) {
                let held = (0..<16).map { resolver.resolve(Leaf.self, args: $0) }
                for number in 0..<16 where resolver.resolve(Leaf.self, args: number) !== held[number] {
                    differences.increment()
                }
            }
        } repeating: {
            _ = resolver.resolve(Leaf.self, args: others.increment())
        }
        expect(differences.value, is: 0)
    }
}
