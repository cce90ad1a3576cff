import Resolver
import Testing

/// Calls on stacks of 64 KiB and more, with little stack left: each returns an instance or throws `tooDeep`, and none
/// crashes.
///
/// Each test runs in its own process, because a stack overflow ends the process.
@Suite(.measuresStack) struct SmallStackTests {
    private static let sizes = [64, 96, 128, 192, 256, 512, 1024, 8192]

    /// Returns a resolver in which `name` needs itself endlessly, through one of several kinds of callback.
    private static func endless(_ shape: Int) -> Resolver {
        let resolver = Resolver(), front = Resolver(child: resolver)
        @Sendable func next(_ r: Resolver) throws -> Leaf { try r.tryResolve(Leaf.self, name: "endless", args: 1) }
        func register(_ name: Resolver.Name = "endless") -> ResolverOptions<Leaf> {
            resolver.register(name: name) { (r, _) in try next(r) }
        }
        switch shape {
        case 0: register().scope(.unique)
        case 1: _ = register()
        case 2: register().scope(.cached)
        case 3:
            resolver.register(name: "endless") { (_, _) in Leaf() }.resolveProperties { r, _ in _ = try next(r) }
                .scope(.unique)
        case 4: register().scope(CallbackScope())
        case 5:
            register().scope(ResolverScopeCache()).scopeOnArguments()
                .registration.update { factory in { resolver, args in factory(resolver, args) } }
        case 6: register().scoped(to: .request)
        default: register("source").scope(.shared).implements(Leaf.self, name: "endless")
        }
        return front
    }

    @inline(never) private static func address() -> UInt {
        var here = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }

    /// Calls `body` at increasing stack depth, in steps of less than a kilobyte, down to an address.
    @inline(never) private static func descend(to lowest: UInt, _ body: () -> Void) {
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
            for size in SmallStackTests.sizes {
                let resolver = SmallStackTests.endless(shape)
                let code = Threads.withStack(of: size << 10) {
                    resolver.failure(Leaf.self, name: "endless", args: 1)?.code
                }
                expect(code == .tooDeep || shape == 5 && code == .circularDependency, "\(size) KiB")
            }
        }
    }

    /// The outermost call throws, too, if the stack does not suffice.
    @Test(arguments: SmallStackTests.sizes)
    func `a call succeeds or fails with an error however little stack is left`(_ size: Int) async {
        await #expect(processExitsWith: .success) { [size] in
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
                    } catch { errors.append(error) }
                }
            }
            expect(errors.value.count > 10)
            for error in errors.value {
                expect(error.code, is: .tooDeep)
                expect(error.path.map(\.service), is: ["ResolverTests.Leaf"])
                expect(error.description.contains("The thread's stack is nearly exhausted.\n"))
            }
        }
    }

    /// Returns a resolver with `depth` services that each need the next one.
    private static func chain(_ depth: Int) -> Resolver {
        let resolver = Resolver()
        resolver.register(name: "0") { 0 }
        for level in 1..<depth {
            let next = Resolver.Name("\(level - 1)")
            resolver.register(name: .init("\(level)")) { r in try r.tryResolve(Int.self, name: next) + 1 }
        }
        return resolver
    }

    /// A service takes about 650 bytes of stack in a release build, 7 KiB in a debug build, and 9 KiB while another test observes.
    @Test(arguments: [(1000, 12), (10_000, 256)])
    func `a long chain of services is created if the stack suffices`(_ count: Int, _ mebibytes: Int) {
        let depth = Threads.withStack(of: mebibytes << 20) {
            try? SmallStackTests.chain(count).tryResolve(Int.self, name: .init("\(count - 1)"))
        }
        expect(depth, is: count - 1)
    }

    @Test(arguments: [64, 96, 128, 512])
    func `a chain that exceeds the stack is an error with its path and leaves the thread usable`(_ size: Int) async {
        await #expect(processExitsWith: .success) { [size] in
            let chain = SmallStackTests.chain(10_000)
            let (error, next) = Threads.withStack(of: size << 10) {
                (chain.failure(Int.self, name: "9999"), try? chain.tryResolve(Int.self, name: "9"))
            }
            expect(error?.code, is: .tooDeep)
            expect(error?.path.first?.name, is: "9999")
            // Smaller stacks may have no room for ten services.
            if size == 512 { expect((error?.path.count ?? 0) > 20 && next == 9) }
        }
    }

    enum Caller: CaseIterable, Codable { case decorator, clockOfInstance, clockOfScope }

    /// The innermost call fails, and the calls around it return the service.
    @Test(arguments: Caller.allCases)
    func `a decorator or a clock that resolves the service that calls it gets an error`(_ caller: Caller) async {
        await #expect(processExitsWith: .success) { [caller] in
            for size in SmallStackTests.sizes {
                let resolver = Resolver(), errors = Box<[ResolutionError]>([])
                let resolve: @Sendable () -> Void = { [unowned resolver] in
                    do throws(ResolutionError) { _ = try resolver.tryResolve(Leaf.self) } catch { errors.append(error) }
                }
                let clock = ResolverClock {
                    resolve()
                    return 1
                }
                let options = resolver.register { Leaf() }.scope(.cached)
                switch caller {
                case .decorator: Resolver.decorate = { _ in resolve() }
                case .clockOfInstance:
                    options.timeToLive(10)
                    resolver.clock = clock
                case .clockOfScope:
                    ScopeContext.shared.setCurrent(.session, id: "\(size)", expiresAfter: 10)
                    options.scoped(to: .session)
                    Resolver.clock = clock
                }
                expect(Threads.withStack(of: size << 10) { try? resolver.tryResolve(Leaf.self) } != nil)
                Resolver.clock = .monotonic
                expect(!errors.value.isEmpty)
                for error in errors.value {
                    expect(error.code, is: .tooDeep)
                    expect(error.description.contains("If a decorator, a clock or a deinit resolves"))
                }
            }
        }
    }
}
