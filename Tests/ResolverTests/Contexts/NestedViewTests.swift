import Resolver
import Testing

/// A view in another one, where both set the screen: the last one that was set is the screen, whatever the order. Each
/// test is a process of its own: there is one screen in a process.
@Suite struct NestedViewTests {
    /// In place of a view: sets the screen when it appears, and clears it when it has disappeared.
    private final class FrameView {
        func appear() { ScopeContext.shared.setCurrent(.screen, id: "frame") }
        func disappear() { ScopeContext.shared.clear(.screen) }
    }

    /// The view in it has a task that sets a screen of its own, and registers what belongs to that.
    private final class HomeView {
        @Inject var cache: Counted?
        let alive = Box(0)

        func appear() async {
            ScopeContext.shared.setCurrent(.screen, id: "home")
            await Resolver.registerScoped(Counted.self, scope: .screen) { [alive] in Counted(alive) }
        }
    }

    @Test func `the screen is set from appearance to disappearance`() async {
        await #expect(processExitsWith: .success) {
            let frame = FrameView()
            #expect(ScopeContext.shared.currentID(for: .screen) == nil)
            frame.appear()
            #expect(ScopeContext.shared.currentID(for: .screen) == "frame")
            frame.disappear()
            #expect(ScopeContext.shared.currentID(for: .screen) == nil)
        }
    }

    @Test func `the view inside replaces the screen and has its cache there`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen), frame = FrameView(), home = HomeView()
            frame.appear()
            await home.appear()
            #expect(ScopeContext.shared.currentID(for: .screen) == "home")
            #expect(home.cache != nil)
            #expect(home.cache === home.cache)
            #expect(log.ends == [.init(kind: .screen, id: "frame", reason: .replaced, instances: 0)])
            frame.disappear()
            #expect(home.cache == nil)
            #expect(home.alive.value == 0)
        }
    }

    // MARK: Every order

    private enum Step: CaseIterable {
        case setFrame, setHome, clear

        var id: String? {
            switch self {
            case .setFrame: "frame"
            case .setHome: "home"
            case .clear: nil
            }
        }
    }

    /// All sequences of up to four steps.
    private static var sequences: [[Step]] {
        (0..<4).reduce(into: [[]]) { sequences, length in
            sequences += sequences.filter { $0.count == length }.flatMap { begun in
                Step.allCases.map { begun + [$0] }
            }
        }
    }

    /// What one step has to tell. Each scope keeps one instance.
    private static func events(of step: Step, after current: String?) -> [ScopeEvent] {
        func scope(_ id: String) -> ScopeEvent.Scope { .init(kind: .screen, id: id) }
        switch (current, step.id) {
        case (nil, nil): return [.clearedWithoutScope(.screen)]
        case (nil, let new?): return [.opened(scope(new))]
        case (let old?, nil): return [.ended(scope(old), reason: .cleared, instances: 1)]
        case (let old?, let new?) where old == new: return []
        case (let old?, let new?):
            return [.ended(scope(old), reason: .replaced, instances: 1), .opened(scope(new))]
        }
    }

    @Test func `in every order at most one screen is open nothing is left and the events tell`() async {
        await #expect(processExitsWith: .success) {
            #expect(NestedViewTests.sequences.count == 1 + 3 + 9 + 27 + 81)
            for steps in NestedViewTests.sequences {
                let log = ScopeLog(.screen), alive = Box(0)
                var current: String?, expected: [ScopeEvent] = []
                for step in steps {
                    expected += NestedViewTests.events(of: step, after: current)
                    current = step.id
                    if let id = step.id {
                        ScopeContext.shared.setCurrent(.screen, id: id)
                        Resolver.registerScoped(Counted.self, scope: .screen) { Counted(alive) }
                        _ = Resolver.resolve(Counted.self)
                    } else {
                        ScopeContext.shared.clear(.screen)
                    }
                    #expect(ScopeContext.shared.currentID(for: .screen) == current, "\(steps)")
                    #expect(ScopeContext.shared.openScopes().map(\.id) == [current].compactMap { $0 }, "\(steps)")
                    #expect(alive.value == (current == nil ? 0 : 1), "\(steps)")
                }
                #expect(log.events == expected, "\(steps)")
                ScopeContext.shared.clear(.screen)
                #expect(alive.value == 0)
            }
        }
    }
}
