import Resolver
import Testing

/// `scopeOnArguments`: arguments without an instance are pruned, and memory does not grow.
@Suite struct ArgumentMemoryTests {
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

    private struct Key: Hashable, Sendable {
        let leaf: Leaf
        static func == (lhs: Key, rhs: Key) -> Bool { lhs.leaf === rhs.leaf }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(leaf)) }
    }

    @Test(arguments: [false, true])
    func `an argument is released when the instance is purged, or when none was made`(_ isFailing: Bool) {
        let time = ManualTime(), resolver = time.resolver()
        resolver.register { isFailing ? nil : OtherLeaf() }.scope(.cached).scopeOnArguments().timeToLive(10)
        weak var argument: Leaf?
        do {
            let leaf = Leaf()
            argument = leaf
            expect(resolver.optional(OtherLeaf.self, args: Key(leaf: leaf)) == nil, is: isFailing)
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
