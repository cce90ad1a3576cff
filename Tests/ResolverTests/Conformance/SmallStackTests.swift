import Resolver
import Testing

/// Calls on stacks of 64 KiB and more, with little stack left: each returns an instance or throws `tooDeep`, and none
/// crashes.
///
/// Each test runs in its own process, because a stack overflow ends the process.
@Suite(.measuresStack) struct SmallStackTests {
    private static let sizes = [64, 96, 128, 192, 256, 512, 1024, 8192]

    private final class Argument: Hashable, Sendable {
        static func == (lhs: Argument, rhs: Argument) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    private final class Passing: ResolverScope, @unchecked Sendable {
        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            registration.instantiate(resolver: resolver, args: args)
        }
    }

    /// Returns a resolver in which `name` needs itself endlessly, through one of several kinds of callback.
    private static func endless(_ shape: Int) -> Resolver {
        let resolver = Resolver(), front = Resolver(child: resolver)
        @Sendable func next(_ r: Resolver) throws -> Leaf { try r.tryResolve(Leaf.self, name: "endless", args: 1) }
        switch shape {
        case 0: resolver.register(name: "endless") { (r, _) in try next(r) }.scope(.unique)
        case 1: resolver.register(name: "endless") { (r, _) in try next(r) }
        case 2: resolver.register(name: "endless") { (r, _) in try next(r) }.scope(.cached)
        case 3:
            resolver.register(name: "endless") { (_, _) in Leaf() }.resolveProperties { r, _ in _ = try next(r) }
                .scope(.unique)
        case 4: resolver.register(name: "endless") { (r, _) in try next(r) }.scope(Passing())
        case 5:
            resolver.register(name: "endless") { (r, _) in try next(r) }.scope(ResolverScopeCache())
                .scopeOnArguments()
                .registration.update { factory in { resolver, args in factory(resolver, args) } }
        case 6: resolver.register(name: "endless") { (r, _) in try next(r) }.scoped(to: .request)
        default:
            resolver.register(name: "source") { (r, _) in try next(r) }.scope(.shared)
                .implements(Leaf.self, name: "endless")
        }
        return front
    }

    @inline(never)
    private static func address() -> UInt {
        var here = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }

    /// Calls `body` at increasing stack depth, in steps of less than a kilobyte, down to an address.
    @inline(never)
    private static func descend(to lowest: UInt, _ body: () -> Void) {
        body()
        guard address() > lowest else { return }
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { memory in
            memory[0] = 1
            descend(to: lowest, body)
        }
    }

    @Test(arguments: 0..<8)
    func `an endless recursion is an error on every stack size`(_ shape: Int) async {
        await #expect(processExitsWith: .success) { [shape] in
            Child.mustEnd()
            for size in SmallStackTests.sizes {
                let resolver = SmallStackTests.endless(shape)
                let code = Threads.withStack(of: size << 10) { () -> ResolutionError.Code? in
                    resolver.failure(Leaf.self, name: "endless", args: 1)?.code
                }
                Child.require(
                    code == .tooDeep || shape == 5 && code == .circularDependency,
                    "\(String(describing: code)) on \(size) KiB")
            }
        }
    }

    /// The outermost call throws, too, if the stack does not suffice.
    @Test(arguments: SmallStackTests.sizes)
    func `a call succeeds or fails with an error however little stack is left`(_ size: Int) async {
        await #expect(processExitsWith: .success) { [size] in
            Child.mustEnd()
            let resolver = Resolver(), errors = Box<[ResolutionError]>([])
            resolver.register { Leaf() }.scope(.unique)
            resolver.register { OtherLeaf() }.scope(.cached)
            _ = resolver.resolve(OtherLeaf.self)
            Threads.withStack(of: size << 10) {
                // The thread itself uses some of the stack.
                SmallStackTests.descend(to: SmallStackTests.address() - UInt(size << 10) + (24 << 10)) {
                    do throws(ResolutionError) {
                        _ = try resolver.tryResolve(OtherLeaf.self)
                        _ = try resolver.tryResolve(Leaf.self)
                    } catch {
                        errors.append(error)
                    }
                }
            }
            Child.require(errors.value.count > 10, "the last calls are refused")
            for error in errors.value {
                Child.require(error.code == .tooDeep, "\(error)")
                Child.require(error.path.map(\.service) == ["ResolverTests.Leaf"], "\(error)")
                Child.require(error.description.contains("The thread's stack is nearly exhausted.\n"), "\(error)")
            }
        }
    }

    @Test(arguments: [64, 96, 128, 512])
    func `a long chain succeeds or fails with an error on a small stack`(_ size: Int) async {
        await #expect(processExitsWith: .success) { [size] in
            Child.mustEnd()
            let resolver = Resolver()
            resolver.register(name: "0") { 0 }
            for level in 1..<10_000 {
                let next = Resolver.Name("\(level - 1)")
                resolver.register(name: .init("\(level)")) { r in try r.tryResolve(Int.self, name: next) + 1 }
            }
            let error = Threads.withStack(of: size << 10) { () -> ResolutionError? in
                resolver.failure(Int.self, name: "9999")
            }
            Child.require(error?.code == .tooDeep, "\(String(describing: error))")
            Child.require(error?.path.first?.name == "9999", "the path begins where the call did")
        }
    }
}
