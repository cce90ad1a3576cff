import Resolver
import Testing

/// What lives long does not take along what lives short.
@Suite struct CaptiveTests {
    private typealias Short = Leaf
    private typealias Long = Holder<Leaf?>

    private let resolver = Resolver()

    init() { resolver.register { Short() }.scoped(to: .request) }

    @Test(arguments: [ScopeKind.request, ScopeKind("for ever", rank: .max, binding: .execution)])
    func `a singleton gets its own instance of a service of any kind`(_ kind: ScopeKind) async throws {
        resolver.register { Short() }.scoped(to: kind)
        resolver.register { Long($0.resolve(Short.self)) }.scope(.cached)
        resolver.register { r -> [Short] in
            async let ofAChildTask = r.resolve(Short.self)
            return [await ofAChildTask, r.resolve()]
        }.scope(.cached)
        try await Resolver.withScope(kind, id: "1") {
            let own = resolver.resolve(Short.self)
            expect(resolver.resolve(Long.self).part !== own)
            try await expect(!resolver.resolveAsync([Short].self).contains { $0 === own })
        }
    }

    @Test func `a scope that begins in a longer lived factory keeps for itself`() {
        let agree = Box<Bool?>(nil)
        resolver.register { Holder<Short>($0.resolve()) }.scoped(to: .request)
        resolver.register { r -> Long in
            Resolver.withScope(.request, id: "of its own") {
                agree.set(r.resolve(Holder<Short>.self).part === r.resolve(Short.self))
            }
            return Long(nil)
        }.scope(.cached)
        _ = Resolver.withScope(.request, id: "around") { resolver.resolve(Long.self) }
        expect(agree.value, is: true)
    }

    @Test(arguments: [false, true])
    func `a longer-lived service created in a factory's own request does not capture it`(_ isOfSession: Bool) {
        let own = Box<Short?>(nil), taken = Box<Short?>(nil)
        let long = resolver.register { Long($0.resolve(Short.self)) }.scope(.cached)
        if isOfSession { long.scoped(to: .session) }
        resolver.register { r -> OtherLeaf in
            Resolver.withScope(.session, id: "of its own") {
                Resolver.withScope(.request, id: "of its own") {
                    own.set(r.resolve(Short.self))
                    taken.set(r.resolve(Long.self).part)
                }
            }
            return OtherLeaf()
        }.scope(.cached)
        _ = resolver.resolve(OtherLeaf.self)
        expect(own.value != nil)
        expect(taken.value !== own.value)
    }

    /// The part refers back to its page, which it gets before the page has all its properties.
    @Test(arguments: [false, true], [false, true])
    func `a singleton shares no object that refers to an object of the request`(
        _ isAsync: Bool, _ isInFactory: Bool
    ) async throws {
        resolver.register { r in Page(isInFactory ? r.optional() : nil) }.resolveProperties { r, page in
            page.part = r.optional()
            if !isInFactory { page.short = r.optional() }
        }
        resolver.register { Part(nil) }.resolveProperties { r, part in part.page = r.optional() }
        registerAnswer(isAsync)
        try await Resolver.withScope(.request, id: "1") {
            let answer: Answer = try await resolver.resolveAsync()
            expect(answer.part === answer.page.part && answer.part.page === answer.page)
            expect(answer.kept.part !== answer.part)
            expect(answer.kept.part.page?.short != nil && answer.kept.part.page?.short !== answer.page.short)
        }
    }

    /// The part got its page before the page was finished, and none of them needs a service of the request.
    @Test(arguments: [false, true])
    func `a singleton shares an object with another one that is finished`(_ isAsync: Bool) async throws {
        resolver.register { Page(nil) }.resolveProperties { r, page in page.part = r.optional() }
        resolver.register { r in Part(r.existing()) }
        registerAnswer(isAsync)
        let answer: Answer = try await resolver.resolveAsync()
        expect(answer.part.page === answer.page)
        expect(answer.kept.part === answer.part)
    }

    @Test(arguments: [false, true])
    func `a singleton shares no object that got an existing one of the request`(_ isAsync: Bool) async throws {
        resolver.register { r in Page(r.optional()) }
        resolver.register { r in Part(r.existing()) }
        registerAnswer(isAsync)
        try await Resolver.withScope(.request, id: "1") {
            let answer: Answer = try await resolver.resolveAsync()
            expect(answer.part.page === answer.page)
            expect(answer.kept.part.page, is: nil)
        }
    }

    /// The part gets its page in one child task, and the holder gets the part in another one before the page is finished.
    @Test func `a singleton shares no object that depends on one that another task finishes`() async throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let pause = Pause(), isFinished = Gate()
        registerPage(stoppingAt: pause)
        resolver.register { Part($0.resolve(Page.self)) }
        resolver.register { r in
            pause.hasBegun.wait()
            let part: Part = r.resolve()
            pause.mayEnd.open()
            isFinished.wait()
            return Holder(part)
        }
        try await expectOwn(Holder<Part>.self, besides: Page.self) { r in
            async let page = withTaskExecutorPreference(Callers()) {
                _ = try await r.resolveAsync(Page.self)
                isFinished.open()
            }
            async let holder = withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Holder<Part>.self) }
            _ = try await (page, holder)
        }
    }

    /// The page is finished by one child task while another one creates a singleton that needs its part.
    @Test func `a singleton shares no object that another task has not finished`() async throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let pause = Pause()
        registerPage(stoppingAt: pause)
        resolver.register { r in Part(r.existing()) }
        resolver.register { Holder<Part>($0.resolve()) }.scope(.cached)
        resolver.register { (r: Resolver) async throws -> Bool in
            async let page = withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Page.self) }
            await pause.hasBegun.pass()
            let kept: Holder<Part> = try await r.resolveAsync()
            pause.mayEnd.open()
            return try await page.part !== kept.part
        }
        try await expect(Resolver.withScope(.request, id: "1") { try await resolver.resolveAsync(Bool.self) })
    }

    /// The singleton asks for the part twice. Meanwhile another child task finishes the page of a part that the singleton may not share.
    @Test func `a singleton gets one object before and after another task finishes one`() async throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let pause = Pause(), isFinished = Gate()
        registerPage(stoppingAt: pause, isOfRequest: false)
        resolver.register { r in Part(r.existing()) }
        resolver.register { r in
            let first: Part = r.resolve()
            pause.mayEnd.open()
            isFinished.wait()
            return Holder(first === r.resolve(Part.self))
        }.scope(.cached)
        resolver.register { (r: Resolver) async throws -> Bool in
            async let page = withTaskExecutorPreference(Callers()) {
                _ = try await r.resolveAsync(Page.self)
                isFinished.open()
            }
            await pause.hasBegun.pass()
            async let isOne = withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Holder<Bool>.self) }
            try await page
            return try await isOne.part
        }
        try await expect(resolver.resolveAsync(Bool.self))
    }

    /// The page's block creates a singleton after another child task has created a part for another one.
    @Test func `a singleton that a block creates shares the objects of the block`() async throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let pause = Pause()
        registerPage(stoppingAt: pause, isOfRequest: false).resolveProperties { r, page in page.kept = r.optional() }
        resolver.register { r in Part(r.existing()) }
        resolver.register { Holder<Part>($0.resolve()) }.scope(.cached)
        resolver.register { r in OtherLeaf(after: _ = r.resolve(Part.self)) }.scope(.cached)
        resolver.register { (r: Resolver) async throws -> Bool in
            async let page = withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Page.self) }
            await pause.hasBegun.pass()
            _ = try await r.resolveAsync(OtherLeaf.self)
            pause.mayEnd.open()
            return try await page.part === page.kept?.part
        }
        try await expect(resolver.resolveAsync(Bool.self))
    }

    /// The label depends on a page and a book, which two child tasks finish, the book first.
    @Test func `a singleton shares no object that depends on two that two tasks finish`() async throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let pause = Pause()
        registerPage(stoppingAt: pause, isOfRequest: false)
        resolver.register { Part($0.resolve(Page.self)) }
        resolver.register { Book(after: pause.hasBegun.wait()) }.resolveProperties { r, book in
            book.label = r.optional()
            book.short = r.optional()
            pause.mayEnd.open()
        }
        resolver.register { Label($0.resolve(), $0.resolve()) }
        try await expectOwn(Label.self, besides: Book.self) { r in
            async let page = withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Page.self) }
            async let book = withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Book.self) }
            _ = try await (page, book)
        }
    }

    /// Two child tasks create the part. The second one gets the part of the first, which has a page of the request.
    @Test func `a singleton shares no object that depends on one of a faster task`() async throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let pause = Pause()
        resolver.register { Page($0.optional()) }
        resolver.register { r in
            let page: Page? = r.existing()
            return Part(page ?? pause.blocking(nil))
        }
        resolver.register { Holder<Part>($0.resolve()) }
        try await expectOwn(Holder<Part>.self, besides: Page.self) { r in
            async let holder = withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Holder<Part>.self) }
            await pause.hasBegun.pass()
            let (page, part): (Page, Part) = (try await r.resolveAsync(), try await r.resolveAsync())
            pause.mayEnd.open()
            try await expect(holder.part === part && part.page === page)
        }
    }

    /// Registers a page that stops when it has its part, before it gets an object of the request.
    @discardableResult
    private func registerPage(stoppingAt pause: Pause, isOfRequest: Bool = true) -> ResolverOptions<Page> {
        resolver.register { Page(nil) }.resolveProperties { r, page in
            page.part = r.optional()
            pause.block()
            if isOfRequest { page.short = r.optional() }
        }
    }

    /// Resolves a service in an asynchronous call, after `before`, and then with another one in a singleton.
    private func expectOwn<Part: AnyObject & Sendable, Whole: Sendable>(
        _: Part.Type, besides _: Whole.Type, after before: @escaping @Sendable (Resolver) async throws -> Void
    ) async throws {
        resolver.register { r in
            _ = r.resolve(Whole.self)
            return Holder<Holder<Part>>(Holder(r.resolve()))
        }.scope(.cached)
        resolver.register { r async throws in
            try await before(r)
            let mine: Part = try await r.resolveAsync(), kept: Holder<Holder<Part>> = try await r.resolveAsync()
            return kept.part.part !== mine
        }
        try await expect(Resolver.withScope(.request, id: "1") { try await resolver.resolveAsync(Bool.self) })
    }

    private final class Book: @unchecked Sendable {
        var short: Short?, label: Label?
        init(after: Void) {}
    }

    private final class Label: Sendable {
        let book: Book, part: Part
        init(_ book: Book, _ part: Part) { (self.book, self.part) = (book, part) }
    }

    /// The singleton begins when the page is finished.
    private func registerAnswer(_ isAsync: Bool) {
        resolver.register { Holder<Part>($0.resolve()) }.scope(.cached)
        resolver.register(isAsync: isAsync) { r in Answer(page: r.resolve(), part: r.resolve(), kept: r.resolve()) }
            .scope(.unique)
    }

    private struct Answer: Sendable {
        let page: Page, part: Part, kept: Holder<Part>
    }

    private final class Page: @unchecked Sendable {
        var short: Short?, part: Part?, kept: Holder<Part>?
        init(_ short: Short?) { self.short = short }
    }

    private final class Part: @unchecked Sendable {
        var page: Page?
        init(_ page: Page?) { self.page = page }
    }

    @Test(arguments: [ScopeKind.request, .screen])
    func `a singleton captures nothing through nested scopes of its own`(_ inner: ScopeKind) {
        resolver.register { Short() }.scoped(to: .session)
        resolver.register { Holder<Short>($0.resolve()) }.scoped(to: inner)
        resolver.register { r in
            Resolver.withScope(inner, id: "of its own") { Holder<Holder<Short>>(r.resolve()) }
        }.scoped(to: .request)
        resolver.register { r in
            Resolver.withScope(.request, id: "of its own") { Long(r.resolve(Holder<Holder<Short>>.self).part.part) }
        }.scope(.cached)
        Resolver.withScope(.session, id: "around") {
            let own = resolver.resolve(Short.self)
            expect(resolver.resolve(Long.self).part !== own)
        }
    }

    /// Alone in a process: an asynchronous call that runs elsewhere would make this one take a slower path.
    @Test func `a singleton captures nothing through a scope of the lowest rank`() async {
        await #expect(processExitsWith: .success) {
            let lowest = ScopeKind("lowest", rank: .min, binding: .execution), resolver = Resolver()
            resolver.register { Short() }.scoped(to: .request)
            resolver.register { Long($0.resolve(Short.self)) }.scoped(to: lowest)
            resolver.register { r in
                Resolver.withScope(lowest, id: "in a singleton") { Holder<Long>(r.resolve()) }
            }.scope(.cached)
            Resolver.withScope(.request, id: "1") {
                let own: Short = resolver.resolve()
                Child.require(resolver.resolve(Holder<Long>.self).part.part !== own, "it is not captured")
            }
        }
    }

    @Test func `a creation task hides what is hidden from its caller`() async throws {
        let house = ScopeKind("captive house", rank: 40, binding: .process)
        let session = ScopeKind("captive creation session", rank: 30, binding: .execution)
        resolver.register { Short() }.scoped(to: house)
        resolver.register { r in await yielding(Long(r.resolve(Short.self))) }.scoped(to: session)
        resolver.register(name: "single") { r -> Long in
            try await Resolver.withScope(session, id: "in a singleton") { try await r.resolveAsync(Long.self) }
        }.scope(.cached)
        ScopeContext.shared.setCurrent(house, id: "house")
        defer { ScopeContext.shared.clear(house) }
        let ofHouse: Short = resolver.resolve()
        let long = try await resolver.resolveAsync(Long.self, name: "single")
        expect(long.part !== ofHouse)
    }
}
