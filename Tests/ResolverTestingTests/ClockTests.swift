import Resolver
import ResolverTesting
import Testing

@Suite(
    .resolver { resolver in
        let time = Box(0.0)
        resolver.register { time }
        Resolver.main.clock = ResolverClock { time.value }
    })
struct ClockTests {
    private let time: Box<Double> = Resolver.resolve()

    private func pass(_ seconds: Double) { time.update { $0 += seconds } }

    @Test(arguments: 1...50)
    func `a test's clock drives times to live`(_ number: Int) {
        Resolver.register { Note(by: "test") }.scope(.cached).timeToLive(Double(number))
        let note: Note = Resolver.resolve()
        pass(Double(number) - 0.5)
        expect(Resolver.resolve(Note.self) === note)
        pass(Double(number))
        expect(Resolver.existing(Note.self), is: nil)
        expect(Resolver.resolve(Note.self) !== note)
    }

    /// - Parameter isRoot: whether the other resolver is the root, over main, or a child of main.
    @Test(arguments: [false, true])
    func `a test's clock drives times to live of its other resolvers`(_ isRoot: Bool) {
        let other = isRoot ? Resolver(child: .main) : Resolver()
        if isRoot { Resolver.root = other } else { Resolver.main.add(child: other) }
        other.register { Note(by: "other") }.scope(.application).timeToLive(60)
        let note: Note = Resolver.resolve()
        pass(59)
        expect(Resolver.resolve(Note.self) === note)
        pass(60)
        expect(Resolver.resolve(Note.self) !== note)
    }

    @Test func `a test's clock drives times to live and expiry of contexts`() {
        Resolver.register { Note(by: "test") }.scoped(to: .session).timeToLive(60)
        ScopeContext.shared.setCurrent(.session, id: "Ada", expiresAfter: 3600)
        let note: Note = Resolver.resolve()
        pass(60)
        expect(Resolver.resolve(Note.self) !== note)
        pass(3600)
        expect(ScopeContext.shared.currentID(for: .session), is: nil)
    }

    @Test(.resolver) func `a suite's clock drives times to live in a test with its own trait`() {
        Resolver.register { Note(by: "test") }.scope(.cached).timeToLive(60)
        let note: Note = Resolver.resolve()
        pass(60)
        expect(Resolver.resolve(Note.self) !== note)
    }
}
