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
            expect(isAsked.value, "the clock was asked")
            expect([alive.value, released.value], is: [0, 1], "alive, released")
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

    @Test(arguments: ["ensure", "set"])
    func `threads that ensure a scope or set one with the same id get the same`(_ way: String) {
        let kind = ScopeKind("\(way) at once", rank: 20, binding: .process), context = ScopeContext.shared
        for round in 0..<300 {
            let handles = Box<[ScopeHandle]>([]), id = "\(round)"
            Threads.run(4) { index in
                handles.append(
                    way == "set" ? context.setCurrent(kind, id: id) : context.ensureCurrent(kind, id: "\(index)"))
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
        init(screen: Int, _ alive: Box<Int>) { (self.screen, self.alive) = (screen, Counted(alive)) }
    }

    private enum Form: String, CaseIterable { case template, registration, registrationAfterAClear }

    /// One thread goes through the screens, while another one asks for their model all the time.
    @Test(arguments: Form.allCases)
    private func `a call never gets the model of a screen that was left`(_ form: Form) {
        let kind = ScopeKind("transition, \(form)", rank: 20, binding: .process), context = ScopeContext.shared
        let resolver = Resolver(), name = Resolver.Name(kind.name), screens = Sanitizer.rounds(1000)
        let shown = Box(0), asked = Box(0), got = Box(0), stale = Box(0), different = Box(0), alive = Box(0)
        if form == .template {
            // No screen is not an older one.
            resolver.register(name: name) {
                Model(screen: context.currentID(for: kind).flatMap { Int($0) } ?? .max, alive)
            }.scoped(to: kind)
        }
        Threads.run {
            for screen in 1...screens {
                if form == .registrationAfterAClear { context.clear(kind) }
                context.setCurrent(kind, id: "\(screen)")
                if form != .template {
                    Resolver.registerScoped(Model.self, name: name, scope: kind) { Model(screen: screen, alive) }
                }
                let model = resolver.resolve(Model.self, name: name)
                if resolver.resolve(Model.self, name: name) !== model { different.increment() }
                shown.set(screen)
                // One question has begun and ended since.
                let before = asked.value
                while asked.value < before + 2 { sched_yield() }
            }
        } repeating: {
            let atLeast = shown.value
            // The first to ask may come before the first screen.
            if atLeast > 0, let model: Model = resolver.optional(name: name) {
                got.increment()
                if model.screen < atLeast { stale.increment() }
            }
            asked.increment()
        }
        context.clear(kind)
        expect(got.value >= screens)
        expect([stale.value, different.value, alive.value], is: [0, 0, 0], "stale, different, alive")
    }
}
