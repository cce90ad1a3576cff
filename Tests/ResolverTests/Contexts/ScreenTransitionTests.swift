import Foundation
import Resolver
import Testing

/// Who asks while one screen takes the place of another gets nothing of a screen that was left before he asked.
///
/// The kinds are bound to the process, so what is registered for them has the name of its test.
@Suite struct ScreenTransitionTests {
    private final class Model: Sendable {
        let screen: Int

        init(screen: Int) {
            self.screen = screen
        }
    }

    /// Goes through a thousand screens, while another thread asks all the time.
    ///
    /// - Returns: how often that got an instance, and how often one of a screen that had been left.
    private static func navigate(
        show: @escaping @Sendable (Int) -> Void, ask: @escaping @Sendable () -> Model?
    ) -> (got: Int, stale: Int) {
        let shown = Box(0), asked = Box(0), isOver = Box(false)
        let got = Box(0), stale = Box(0)
        Threads.run(
            {
                for screen in 1...1000 {
                    show(screen)
                    shown.set(screen)
                    // One question has begun and ended since.
                    let before = asked.value
                    while asked.value < before + 2 { sched_yield() }
                }
                isOver.set(true)
            },
            {
                while !isOver.value {
                    let atLeast = shown.value
                    if let model = ask() {
                        got.increment()
                        if model.screen < atLeast { stale.increment() }
                    }
                    asked.increment()
                }
            })
        return (got.value, stale.value)
    }

    @Test func `a template is never that of a screen that was left`() {
        let kind = ScopeKind("transition of templates", rank: 20, binding: .process), resolver = Resolver()
        resolver.register {
            // No screen is not an older one.
            Model(screen: ScopeContext.shared.currentID(for: kind).flatMap { Int($0) } ?? .max)
        }.scoped(to: kind)
        defer { ScopeContext.shared.clear(kind) }
        let (got, stale) = Self.navigate { screen in
            ScopeContext.shared.setCurrent(kind, id: "\(screen)")
        } ask: {
            // The first to ask may come before the first screen.
            ScopeContext.shared.current(kind) == nil ? nil : resolver.resolve(Model.self)
        }
        #expect(got >= 1000)
        #expect(stale == 0)
    }

    @Test func `what each screen registers is never that of a screen that was left`() {
        let kind = ScopeKind("transition of registrations", rank: 20, binding: .process)
        defer { ScopeContext.shared.clear(kind) }
        let (got, stale) = Self.navigate { screen in
            ScopeContext.shared.setCurrent(kind, id: "\(screen)")
            Resolver.registerScoped(Model.self, name: .init(kind.name), scope: kind) { Model(screen: screen) }
        } ask: {
            Resolver.optional(name: .init(kind.name))
        }
        #expect(got >= 1000)
        #expect(stale == 0)
    }

    /// The same where the old screen is cleared first.
    @Test func `clearing first makes no difference`() {
        let kind = ScopeKind("transition by clearing", rank: 20, binding: .process)
        defer { ScopeContext.shared.clear(kind) }
        let (got, stale) = Self.navigate { screen in
            ScopeContext.shared.clear(kind)
            ScopeContext.shared.setCurrent(kind, id: "\(screen)")
            Resolver.registerScoped(Model.self, name: .init(kind.name), scope: kind) { Model(screen: screen) }
        } ask: {
            Resolver.optional(name: .init(kind.name))
        }
        #expect(got >= 1000)
        #expect(stale == 0)
    }
}
