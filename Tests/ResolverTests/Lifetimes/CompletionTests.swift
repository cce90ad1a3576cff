import Resolver
import Testing

/// An instance joins the resolution cycle while its `resolveProperties` blocks run, and no longer.
@Suite struct CompletionTests {
    private let resolver = Resolver()

    /// - Parameter others: the number of other instances in the cycle.
    @Test(arguments: ["unique", "shared", "container", "cached"], [0, 20])
    func `an instance that nothing holds is released when its blocks have run`(_ lifetime: String, _ others: Int) {
        let left = Box<Int?>(nil), alive = Box(0), older = Box(0), names = (0...others).map { Resolver.Name("\($0)") }
        let scopes: [String: ResolverScope] = ["unique": .unique, "shared": .shared, "container": .container]
        resolver.register { Counted(alive) }.scope(scopes[lifetime] ?? .cached)
            .resolveProperties { r, _ in for name in names { _ = r.resolve(Leaf.self, name: name) } }
        for name in names { resolver.register(name: name) { Leaf() }.scope(.graph) }
        resolver.register(name: "older") { Counted(older) }.scope(.graph)
        resolver.register { r -> OtherLeaf in
            _ = r.resolve(Counted.self, name: "older")
            _ = r.resolve(Counted.self)
            r.reset(Counted.self)
            left.set(alive.value + 10 * older.value)
            return OtherLeaf()
        }
        _ = resolver.resolve(OtherLeaf.self)
        expect(left.value, is: 10)
        expect(older.value, is: 0)
    }

    @Test(arguments: [false, true])
    func `a hook gets no instance that its scope is releasing`(_ isRequired: Bool) {
        let found = Box<[Leaf?]>([]), made = Box<Leaf?>(nil), resolver = resolver
        resolver.register { Leaf() }.scoped(to: .request, required: isRequired).resolveProperties { _, _ in }
            .onRelease { _ in found.update { $0.append(resolver.optional()) } }
        resolver.register { r -> OtherLeaf in
            made.set(r.optional())
            ScopeContext.shared.current(.request)?.end()
            found.update { $0.append(r.optional()) }
            return OtherLeaf()
        }
        Resolver.withScope(.request, id: "1") { _ = resolver.resolve(OtherLeaf.self) }
        expect(made.value != nil && found.value.count == 2)
        expect(found.value.allSatisfy { ($0 == nil) == isRequired && $0 !== made.value })
    }

    @Test(arguments: [false, true])
    func `an instance for an argument that was released is not handed out again`(_ isExpired: Bool) {
        let time = Box(0.0), isSame = Box<Bool?>(nil), argument = isExpired ? 2 : nil
        resolver.clock = ResolverClock { time.value }
        resolver.register { r, args -> Holder<Int> in
            let number: Int = args.optional() ?? 0
            if number == 1 {
                let old: Holder<Int> = r.resolve(args: argument)
                if isExpired { time.set(60) } else { r.reset(Holder<Int>.self) }
                isSame.set(r.resolve(Holder<Int>.self, args: argument) === old)
            }
            return Holder<Int>(number)
        }.scope(.cached).scopeOnArguments(Int.self).timeToLive(60, from: .creation).resolveProperties { _, _ in }
        _ = resolver.resolve(Holder<Int>.self, args: 1)
        expect(isSame.value, is: false)
    }

    @Test(arguments: ["cached", "request", "isolating", "below isolating"])
    func `a block gets its own instance after others were created with arguments`(_ place: String) throws {
        let options = resolver.register { r, args -> Folder in
            let depth: Int = args()
            return Folder(depth, depth == 0 ? nil : try r.tryResolve(Folder.self, args: depth - 1))
        }.resolveProperties { r, folder in folder.own = try r.tryResolve(Folder.self) }
        if place == "request" { options.scoped(to: .request) } else { options.scope(.cached) }
        let isolating = Resolver(isolating: resolver)
        let asked = ["isolating": isolating, "below isolating": Resolver(child: isolating)][place] ?? resolver
        try Resolver.withScope(.request, id: "1") {
            let folder: Folder = try asked.tryResolve(args: 2)
            expect(folder.own === folder && folder.sub?.own === folder.sub && folder.sub?.sub?.own === folder.sub?.sub)
            expect(folder.depth == 2 && folder.sub?.depth == 1)
        }
    }

    private final class Folder: @unchecked Sendable {
        let depth: Int
        let sub: Folder?
        weak var own: Folder?
        init(_ depth: Int, _ sub: Folder?) { (self.depth, self.sub) = (depth, sub) }
    }
}
