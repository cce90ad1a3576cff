import Resolver
import ResolverTesting
import Testing

@Suite(
    .resolver {
        $0.register { "suite" }
        $0.register { 1 }
        $0.register { Note(by: "suite") }.scope(.application)
    })
struct LayeringTests {
    @Test(.resolver { $0.register { "first" } }, .resolver { $0.register { "second" } })
    func `the last of two traits comes first`() { expect(Resolver.resolve(String.self), is: "second") }

    @Test(.resolver { $0.register { Double($0.resolve(Int.self)) / 2 } }, arguments: 1...3)
    func `a trait's factories use the test's registrations`(_ number: Int) {
        Resolver.register { number }
        expect(Resolver.resolve(Double.self), is: Double(number) / 2)
    }

    @Test(arguments: 1...20)
    func `each case has its own instances of the suite's registrations`(_ number: Int) {
        let note: Note = Resolver.resolve()
        expect(note.lines.increment(), is: 1)
        expect(Resolver.resolve(Note.self) === note)
    }

    @Test(.resolver { $0.register { "test" } })
    func `a reset removes only the innermost registrations`() {
        Resolver.register { 2 }
        Resolver.reset()
        expect(Resolver.resolve(String.self), is: "suite")
        expect(Resolver.resolve(Int.self), is: 1)
    }

    @Test func `a reset in a test leaves a resolver of the process alone which the test has made main`() async {
        await #expect(processExitsWith: .success) {
            let mocks = Resolver()
            mocks.register { Note(by: "the process") }.scope(.cached)
            let note: Note = mocks.resolve()
            Resolver.withTestResolver {
                Resolver.main = mocks
                Resolver.root = mocks
                Resolver.reset()
            }
            expect(mocks.existing(Note.self) === note)
        }
    }

    @Test(.resolver) func `resetAndWait waits for the hooks of a root of the test's own`() async {
        let mayEnd = Gate(), isOver = Box(false)
        Resolver.root = Resolver(child: .main)
        Resolver.root.register { Note(by: "root") }.scope(.cached).onRelease { (_: Note) async in
            await mayEnd.pass()
            isOver.set(true)
        }
        _ = Resolver.resolve(Note.self)
        async let _: Void = {
            await Task.yield()
            mayEnd.open()
        }()
        await Resolver.resetAndWait()
        expect(isOver.value)
    }

    /// The app's start, or the closure of a trait, may replace `root`, as apps for 1.5.1 do to put mocks before `main`.
    @Suite(
        .resolver {
            $0.register { "main" }
            $0.register { 1 }
            Resolver.root = Resolver(child: $0)
            Resolver.root.register { "root" }
        })
    struct Root {
        @Test func `a suite's root precedes its main`() {
            expect(Resolver.resolve(String.self), is: "root")
            expect(Resolver.main.resolve(String.self), is: "main")
        }

        @Test(.resolver { $0.register { 2 } })
        func `a test's registrations precede those of the suite's root`() {
            expect(Resolver.resolve(String.self), is: "root")
            expect(Resolver.resolve(Int.self), is: 2)
        }

        @Suite(
            .resolver { _ in
                Resolver.root = Resolver()
                Resolver.root.register { "alone" }
            })
        struct Alone {
            @Test(.resolver { $0.register { 2.5 } })
            func `a test searches a root that does not search main, and then main`() {
                expect(Resolver.resolve(String.self), is: "alone")
                expect(Resolver.resolve(Double.self), is: 2.5)
                expect(Resolver.resolve(Int.self), is: 1)
            }
        }
    }

    @Suite struct Unmarked {
        @Test func `a nested suite inherits the trait`() { expect(Resolver.resolve(String.self), is: "suite") }
    }

    @Suite(.resolver { $0.register { "inner suite" } }) struct Marked {
        @Test(.resolver { $0.register { 3 } })
        func `a test's registrations join those of both suites, of which the inner precede the outer`() {
            expect(Resolver.resolve(String.self), is: "inner suite")
            expect(Resolver.resolve(Int.self), is: 3)
        }
    }
}
