import Foundation
import Resolver
import Testing

@Suite struct ScopeRaceTests {
    @Test func `a scope of the kind is current for calls and registrations at each moment of a replacement`() {
        struct Private: Sendable {}
        let kind = ScopeKind("always one", rank: 20, binding: .process), context = ScopeContext.shared
        let without = Box(0)
        context.setCurrent(kind, id: "0")
        Threads.run {
            for number in 1...Sanitizer.rounds(10_000) { context.setCurrent(kind, id: "\(number)") }
        } repeating: {
            if context.current(kind) == nil { without.increment() }
            // Without a scope this would be for all scopes to come.
            Resolver.registerScoped(Private.self, name: "meanwhile", scope: kind) { Private() }
        }
        context.clear(kind)
        expect(without.value, is: 0)
        expect(Resolver.optional(Private.self, name: "meanwhile"), is: nil)
    }

    @Test func `a bound scope is current at each moment in which other threads set scopes`() {
        let bound = ScopeKind("bound meanwhile", rank: 10, binding: .execution)
        let other = ScopeKind("set meanwhile", rank: 10, binding: .execution), without = Box(0), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: bound)
        Threads.run(others: 2) {
            Resolver.withScope(bound, id: "bound") {
                let leaf: Leaf = resolver.resolve()
                for _ in 0..<Sanitizer.rounds(100_000) where resolver.existing(Leaf.self) !== leaf {
                    without.increment()
                }
            }
        } repeating: {
            ScopeContext.shared.setCurrent(other, id: "set").end()
        }
        expect(without.value, is: 0)
    }

    /// A new scope asks whether another one with its id has expired before it becomes current. Here the clock makes another
    /// scope current meanwhile, and resolves a service in the new one.
    @Test func `an instance of a scope that never becomes current is released with its hooks`() async {
        await #expect(processExitsWith: .success) {
            let kind = ScopeKind("not current", rank: 20, binding: .process), context = ScopeContext.shared
            let resolver = Resolver(), alive = Box(0), released = Box(0), isAsking = Box(false), isAsked = Box(false)
            resolver.register { Counted(alive) }.scoped(to: kind, required: true)
                .onRelease { _ in released.increment() }
            let observation = context.observe { _ in }
            let other = context.open(kind, id: "the same", expiresAfter: 60)
            Resolver.clock = ResolverClock {
                // What it asks below asks it in turn.
                if isAsking.exchange(true) { return 0 }
                defer { isAsking.set(isAsked.value) }
                if let new = context.openScopes().first(where: { $0.kind == kind && $0 !== other }) {
                    Child.require(new.run { resolver.optional(Counted.self) } != nil, "the new scope keeps one")
                    context.setCurrent(kind, id: "the same")
                    isAsked.set(true)
                }
                return 0
            }
            context.setCurrent(kind, id: "the same")
            Child.require(isAsked.value, "the clock was asked")
            Child.require(
                alive.value == 0 && released.value == 1, "\(alive.value) are alive, \(released.value) released")
            withExtendedLifetime((observation, other)) {}
        }
    }

    @Test(arguments: [1, 2])
    func `a reset releases what a scope keeps while another thread ends the scope`(_ count: Int) {
        let kind = ScopeKind("ended and reset \(count)", rank: 20, binding: .process), context = ScopeContext.shared
        let resolver = Resolver(), stale = Box(0), left = Box(count)
        resolver.register { Leaf() }.scoped(to: kind)
        Threads.run(count + 1) { index in
            if index == count {
                while left.value > 0 {
                    context.setCurrent(kind, id: "")
                    sched_yield()
                    context.clear(kind)
                }
                return
            }
            for _ in 0..<Sanitizer.rounds(100_000) {
                let old: Leaf = resolver.resolve()
                resolver.reset(Leaf.self)
                if resolver.resolve(Leaf.self) === old { stale.increment() }
            }
            left.increment(by: -1)
        }
        expect(stale.value, is: 0)
    }

    /// The scope has many instances, so its end takes some time. Those with hooks have cells.
    @Test func `a reset in a scope that another thread ends leaves nothing to hand out`() {
        let kind = ScopeKind.ofTest("ends slowly"), resolver = Resolver(), stale = Box(0), checks = Box(0)
        let names = (0..<Sanitizer.rounds(500)).map { Resolver.Name("\($0)") }
        for name in names { resolver.register(name: name) { OtherLeaf() }.scoped(to: kind).onRelease { _ in } }
        resolver.register { Leaf() }.scoped(to: kind).onRelease { _ in }
        for _ in 0..<20 {
            let scope = ScopeContext.shared.open(kind, id: ""), isFilled = Rendezvous(2)
            Threads.run(2) { index in
                if index == 0 {
                    isFilled.arriveAndWait()
                    return scope.end()
                }
                scope.run {
                    for name in names { _ = resolver.resolve(OtherLeaf.self, name: name) }
                    _ = resolver.resolve(Leaf.self)
                    isFilled.arriveAndWait()
                    while scope.isOpen || checks.increment() % 100 != 0 {
                        let old: Leaf = resolver.resolve()
                        resolver.reset(Leaf.self)
                        if resolver.resolve(Leaf.self) === old { stale.increment() }
                    }
                }
            }
        }
        expect(stale.value, is: 0)
    }

    @Test(arguments: ["ensure", "set"])
    func `threads that ensure a scope or set one with the same id get the same`(_ way: String) {
        let kind = ScopeKind("\(way) at once", rank: 20, binding: .process), context = ScopeContext.shared
        for round in 0..<300 {
            let handles = Box<[ScopeHandle]>([])
            Threads.run(4) { index in
                handles.append(
                    way == "set"
                        ? context.setCurrent(kind, id: "\(round)") : context.ensureCurrent(kind, id: "\(index)"))
            }
            expect(handles.value.allSatisfy { $0 === context.current(kind) })
            if way == "ensure" { context.clear(kind) }
        }
        // To list the scopes ends those of other tests whose time is over.
        expect(context.openScopes().count { $0.kind == kind }, is: way == "set" ? 1 : 0)
        context.clear(kind)
    }

    private final class Model: Sendable {
        let screen: Int, alive: Counted
        init(screen: Int, _ alive: Box<Int> = Box(0)) { (self.screen, self.alive) = (screen, Counted(alive)) }
    }

    private static let screens = Sanitizer.rounds(1000)

    /// Goes through the screens, while another thread asks all the time.
    ///
    /// - Returns: how often that got an instance, and how often one of a screen that had been left.
    private static func navigate(
        show: @escaping @Sendable (Int) -> Void, ask: @escaping @Sendable () -> Model?
    ) -> (got: Int, stale: Int) {
        let shown = Box(0), asked = Box(0), got = Box(0), stale = Box(0)
        Threads.run {
            for screen in 1...screens {
                show(screen)
                shown.set(screen)
                // One question has begun and ended since.
                let before = asked.value
                while asked.value < before + 2 { sched_yield() }
            }
        } repeating: {
            let atLeast = shown.value
            if let model = ask() {
                got.increment()
                if model.screen < atLeast { stale.increment() }
            }
            asked.increment()
        }
        return (got.value, stale.value)
    }

    @Test func `a template is never that of a screen that was left`() {
        let kind = ScopeKind("transition of templates", rank: 20, binding: .process), resolver = Resolver()
        let alive = Box(0), different = Box(0)
        resolver.register {
            // No screen is not an older one.
            Model(screen: ScopeContext.shared.currentID(for: kind).flatMap { Int($0) } ?? .max, alive)
        }.scoped(to: kind)
        let (got, stale) = Self.navigate { screen in
            ScopeContext.shared.setCurrent(kind, id: "\(screen)")
            if resolver.resolve(Model.self) !== resolver.resolve(Model.self) { different.increment() }
        } ask: {
            // The first to ask may come before the first screen.
            ScopeContext.shared.current(kind) == nil ? nil : resolver.resolve(Model.self)
        }
        ScopeContext.shared.clear(kind)
        expect(got >= Self.screens)
        expect(stale, is: 0)
        expect(different.value, is: 0)
        expect(alive.value, is: 0)
    }

    @Test(arguments: [false, true])
    func `a screen never gets the registration of an ended screen`(_ clearsFirst: Bool) {
        let kind = ScopeKind("transition of registrations \(clearsFirst)", rank: 20, binding: .process)
        defer { ScopeContext.shared.clear(kind) }
        let (got, stale) = Self.navigate { screen in
            if clearsFirst { ScopeContext.shared.clear(kind) }
            ScopeContext.shared.setCurrent(kind, id: "\(screen)")
            Resolver.registerScoped(Model.self, name: .init(kind.name), scope: kind) { Model(screen: screen) }
        } ask: {
            Resolver.optional(name: .init(kind.name))
        }
        expect(got >= Self.screens)
        expect(stale, is: 0)
    }
}
