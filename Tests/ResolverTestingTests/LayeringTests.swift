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
    @Test func whatTheSuiteRegistersIsFound() {
        #expect(Resolver.resolve(String.self) == "suite")
    }

    @Test(.resolver { $0.register { "test" } })
    func whatTheTestRegistersStandsInFront() {
        #expect(Resolver.resolve(String.self) == "test")
        #expect(Resolver.resolve(Int.self) == 1)
    }

    @Test(.resolver { $0.register { "first" } }, .resolver { $0.register { "second" } })
    func ofTwoTraitsTheLastStandsInFront() {
        #expect(Resolver.resolve(String.self) == "second")
    }

    @Test(.resolver { $0.register { Double($0.resolve(Int.self)) / 2 } }, arguments: 1...3)
    func factoriesOfALayerSeeThoseInFront(_ number: Int) {
        Resolver.register { number }
        #expect(Resolver.resolve(Double.self) == Double(number) / 2)
    }

    @Test(arguments: 1...20)
    func eachCaseHasItsOwnOfWhatTheSuiteRegisters(_ number: Int) {
        let note: Note = Resolver.resolve()
        #expect(note.lines.increment() == 1)
        #expect(Resolver.resolve(Note.self) === note)
    }

    @Test(.resolver { $0.register { "test" } })
    func aResetEmptiesTheInnermostOnly() {
        Resolver.register { 2 }
        Resolver.reset()
        #expect(Resolver.resolve(String.self) == "suite")
        #expect(Resolver.resolve(Int.self) == 1)
    }

    @Suite struct Unmarked {
        @Test func aSuiteInsideIsMarkedToo() {
            #expect(Resolver.resolve(String.self) == "suite")
        }
    }

    @Suite(.resolver { $0.register { "inner suite" } }) struct Marked {
        @Test func theInnerSuiteStandsInFront() {
            #expect(Resolver.resolve(String.self) == "inner suite")
            #expect(Resolver.resolve(Int.self) == 1)
        }

        @Test(.resolver { $0.register { 3 } })
        func theTestStandsInFrontOfBoth() {
            #expect(Resolver.resolve(String.self) == "inner suite")
            #expect(Resolver.resolve(Int.self) == 3)
        }
    }
}
