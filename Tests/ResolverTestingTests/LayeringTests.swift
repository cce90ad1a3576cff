import Resolver
import ResolverTesting
import Testing

/// What suites and tests register for themselves, and whose comes first.
@Suite(
    .resolver {
        $0.register { "suite" }
        $0.register { 1 }
        $0.register { Note(by: "suite") }.scope(.application)
    })
struct LayeringTests {
    @Test func `what the suite registers is found`() {
        #expect(Resolver.resolve(String.self) == "suite")
    }

    @Test(.resolver { $0.register { "test" } })
    func `what the test registers stands in front`() {
        #expect(Resolver.resolve(String.self) == "test")
        #expect(Resolver.resolve(Int.self) == 1)
    }

    @Test(.resolver { $0.register { "first" } }, .resolver { $0.register { "second" } })
    func `of two traits the last stands in front`() {
        #expect(Resolver.resolve(String.self) == "second")
    }

    @Test(.resolver { $0.register { Double($0.resolve(Int.self)) / 2 } }, arguments: 1...3)
    func `factories of a layer see those in front`(_ number: Int) {
        Resolver.register { number }
        #expect(Resolver.resolve(Double.self) == Double(number) / 2)
    }

    @Test(arguments: 1...20)
    func `each case has its own of what the suite registers`(_ number: Int) {
        let note: Note = Resolver.resolve()
        #expect(note.lines.increment() == 1)
        #expect(Resolver.resolve(Note.self) === note)
    }

    @Test(.resolver { $0.register { "test" } })
    func `a reset empties the innermost only`() {
        Resolver.register { 2 }
        Resolver.reset()
        #expect(Resolver.resolve(String.self) == "suite")
        #expect(Resolver.resolve(Int.self) == 1)
    }

    @Suite struct Unmarked {
        @Test func `a suite inside is marked too`() {
            #expect(Resolver.resolve(String.self) == "suite")
        }
    }

    @Suite(.resolver { $0.register { "inner suite" } }) struct Marked {
        @Test func `the inner suite stands in front`() {
            #expect(Resolver.resolve(String.self) == "inner suite")
            #expect(Resolver.resolve(Int.self) == 1)
        }

        @Test(.resolver { $0.register { 3 } })
        func `the test stands in front of both`() {
            #expect(Resolver.resolve(String.self) == "inner suite")
            #expect(Resolver.resolve(Int.self) == 3)
        }
    }
}
