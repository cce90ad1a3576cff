import Resolver
import Testing

/// The ends that are not `clear`: of one handle, of an id, of all, by replacement and by time.
@Suite struct ScopeEndTests {
    private let context = ScopeContext.shared

    private static func kind(_ name: String, _ binding: ScopeKind.Binding = .process) -> ScopeKind {
        ScopeKind("end " + name, rank: 20, binding: binding)
    }

    // MARK: Handles

    @Test func aHandleEndsItsScopeAndNoOther() {
        let kind = Self.kind("handle"), log = ScopeLog(kind)
        let first = context.setCurrent(kind, id: "a")
        let second = context.setCurrent(kind, id: "b")
        first.end()
        #expect(context.current(kind) === second)
        #expect(second.isOpen)
        second.end()
        #expect(context.current(kind) == nil)
        #expect(log.ends.last == .init(kind: kind, id: "b", reason: .ended, instances: 0))
    }

    @Test func endingTwiceEndsOnce() {
        let kind = Self.kind("twice"), log = ScopeLog(kind)
        let scope = context.setCurrent(kind, id: "a")
        scope.end()
        scope.end()
        #expect(log.ends.count == 1)
    }

    @Test func anEndedScopeTakesNothingIn() {
        let scope = context.setCurrent(Self.kind("closed"), id: "a")
        scope.end()
        scope.register { ScopeEndTests() }
        #expect(scope.optional(ScopeEndTests.self) == nil)
        #expect(scope.instanceCount == 0)
    }

    @Test func aLaterScopeWithTheSameIdStartsEmpty() {
        let kind = Self.kind("again"), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        let first = context.setCurrent(kind, id: "a")
        let leaf: Leaf = resolver.resolve()
        first.end()
        let second = context.setCurrent(kind, id: "a")
        #expect(second !== first)
        #expect(second.instanceCount == 0)
        #expect(resolver.resolve(Leaf.self) !== leaf)
        second.end()
        #expect(!first.isOpen)
    }

    // MARK: From elsewhere

    @Test func endingAnIdEndsAllScopesWithItAlsoThoseOfOtherThreads() async {
        let kind = Self.kind("by id", .execution)
        let theirs = await Threads.result { ScopeContext.shared.setCurrent(kind, id: "a") }
        let mine = context.setCurrent(kind, id: "a"), other = context.setCurrent(kind, id: "b")
        context.end(kind, id: "a")
        #expect(!theirs.isOpen)
        #expect(!mine.isOpen)
        #expect(other.isOpen)
        other.end()
    }

    @Test func clearingAllEndsEveryScopeTheYoungestFirst() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen, .session, .request)
            for kind in [ScopeKind.session, .screen, .request] { ScopeContext.shared.setCurrent(kind, id: "a") }
            ScopeContext.shared.clearAll()
            #expect(ScopeContext.shared.openScopes().isEmpty)
            #expect(log.ends.map(\.kind) == [.request, .screen, .session])
        }
    }

    // MARK: Replacing

    @Test func aReplacementIsCurrentForItsBuilderAloneUntilItIsReady() async throws {
        let kind = Self.kind("replaced")
        let old = context.setCurrent(kind, id: "old")
        try await context.replaceCurrent(kind, id: "new") {
            #expect(ScopeContext.shared.currentID(for: kind) == "new")
            #expect(await Threads.result { ScopeContext.shared.currentID(for: kind) } == "old")
            #expect(old.isOpen)
        }
        #expect(!old.isOpen)
        #expect(context.currentID(for: kind) == "new")
        context.clear(kind)
    }

    @Test func whatIsMadeWhileReplacingStays() async throws {
        let kind = Self.kind("kept"), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        context.setCurrent(kind, id: "a")
        let old: Leaf = resolver.resolve()
        let new = try await context.replaceCurrent(kind, id: "a") { resolver.resolve(Leaf.self) }
        #expect(new !== old)
        #expect(resolver.resolve(Leaf.self) === new)
        context.clear(kind)
    }

    @Test(arguments: ["clear", "clear all of its id", "end its handle"])
    func aReplacementThatHasEndedMeanwhileLeavesTheOldScopeCurrent(_ form: String) async throws {
        let kind = ScopeKind("replacement \(form)", rank: 30, binding: .process), context = ScopeContext.shared
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        let old = context.setCurrent(kind, id: "old")
        let leaf: Leaf = resolver.resolve()
        let error = await #expect(throws: ResolutionError.self) {
            try await context.replaceCurrent(kind, id: "new", fileID: "Shop/Login.swift", line: 7) {
                switch form {
                case "clear": context.clear(kind)
                case "clear all of its id": context.end(kind, id: "new")
                default: context.current(kind)?.end()
                }
            }
        }
        #expect(error?.code == .scopeEnded)
        #expect(context.current(kind) === old)
        #expect(old.isOpen)
        #expect(resolver.resolve(Leaf.self) === leaf)
        if form == "clear" {
            try expectGolden(
                (error?.description ?? "").replacing("replacement clear", with: "session"), "replacement-ended")
        }
        context.clear(kind)
    }

    @Test func aReplacementThatFailsLeavesTheOldScopeAsItWas() async {
        let kind = Self.kind("not replaced"), resolver = Resolver(), failed = Box<ScopeHandle?>(nil)
        resolver.register { Leaf() }.scoped(to: kind)
        let old = context.setCurrent(kind, id: "old")
        let leaf: Leaf = resolver.resolve()
        await #expect(throws: Failure(number: 1)) {
            try await ScopeContext.shared.replaceCurrent(kind, id: "new") {
                failed.set(ScopeContext.shared.current(kind))
                throw Failure(number: 1)
            }
        }
        #expect(context.current(kind) === old)
        #expect(resolver.resolve(Leaf.self) === leaf)
        #expect(failed.value?.id == "new")
        #expect(failed.value?.isOpen == false)
        old.end()
    }

    // MARK: Time

    @Test func aScopeWhoseTimeIsOverHasEnded() async {
        await #expect(processExitsWith: .success) {
            let time = ManualTime(), alive = Box(0), log = ScopeLog(.session)
            Resolver.clock = time.clock
            let scope = ScopeContext.shared.setCurrent(.session, id: "a", expiresAfter: 1200)
            scope.register { Counted(alive) }
            _ = scope.resolve(Counted.self)
            time.set(1199)
            #expect(ScopeContext.shared.currentID(for: .session) == "a")
            #expect(alive.value == 1)
            time.set(1200)
            #expect(ScopeContext.shared.currentID(for: .session) == nil)
            #expect(alive.value == 0)
            #expect(log.ends == [.init(kind: .session, id: "a", reason: .expired, instances: 1)])
        }
    }

    @Test func theAgeOfAScopeGoesByTheClock() async {
        await #expect(processExitsWith: .success) {
            let time = ManualTime(100)
            Resolver.clock = time.clock
            let scope = ScopeContext.shared.setCurrent(.screen, id: "a")
            time.set(107.5)
            #expect(scope.age == 7.5)
        }
    }
}
