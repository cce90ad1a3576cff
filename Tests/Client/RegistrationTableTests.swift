import Resolver
import Testing

/// Every form of registration that the language allows. Each row registers on its own resolver and resolves.
@Suite struct RegistrationTableTests {
    @Test func `closures without parameters can be registered`() {
        row("page") { $0.register { Page() } }
        row("page") { $0.register { return Page() } }
        row("page") { $0.register { () -> Page in Page() } }
        row("page") { $0.register { () -> Page? in Page() } }
        row("page") { $0.register(factory: { Page() }) }
        row("page", as: Labelled.self) { $0.register { Page() as Labelled } }
        row("page", as: Labelled.self) { $0.register { Page() as Any as? Labelled } }
        row("sign", as: Sign.self) { $0.register { Sign(label: "sign") } }
        row("late") {
            $0.register {
                let page = Page()
                page.label = "late"
                return page
            }
        }
    }

    @Test func `closures with a resolver can be registered`() {
        row("page") { $0.register { r in Page(of: r) } }
        row("page") { $0.register { (r) in Page(of: r) } }
        row("page") { $0.register { (r: Resolver) in Page(of: r) } }
        row("page") { $0.register { r -> Page in Page(of: r) } }
        row("page") { $0.register { Page(of: $0) } }
        row("page") { $0.register { _ in Page() } }
        row("page", as: Labelled.self) { $0.register { Page(of: $0) as Labelled } }
    }

    @Test func `closures with a resolver and arguments can be registered`() {
        let keyed = ["title": "news"]
        row("news", args: "news") { $0.register { r, args in Page(args()) } }
        row("news", args: "news") { $0.register { (_, args) in Page(args.get()) } }
        row("page") { $0.register { _, _ in Page() } }
        row("page") { $0.register { r, _ in Page(of: r) } }
        row("news", args: keyed) { $0.register { Page($1("title")) } }
        row("page") { $0.register { Page($1.optional() ?? $0.page) } }
        row("news", as: Labelled.self, args: keyed) {
            $0.register { (_, args) -> Labelled? in Page(args.get("title")) }
        }
        row("news", args: "news") { $0.register { (r: Resolver, args: Resolver.Args) -> Page in Page(args()) } }
    }

    @Test func `factories can be registered with types and names`() {
        row("page") { $0.register(Page.self) { Page() } }
        row("page", as: Labelled.self) { $0.register(Labelled.self) { Page() } }
        row("page", as: Labelled.self) { $0.register(Labelled.self) { r in Page(of: r) } }
        row("news", as: Labelled.self, args: "news") { $0.register(Labelled.self) { Page($1()) } }
        row("fred", name: .fred) { $0.register(name: .fred) { Page("fred") } }
        row("fred", name: .fred) { $0.register(name: "Fred") { Page("fred") } }
        row("fred", name: "Fred") { $0.register(name: .fred) { _ in Page("fred") } }
        row("news", name: .fred, args: "news") { $0.register(name: .fred) { _, args in Page(args()) } }
        row("news", as: Labelled.self, name: .fred, args: "news") {
            $0.register(Labelled.self, name: .fred) { _, args in Page(args()) }
        }
    }

    @Test func `a service can be resolved in each spelling`() {
        let resolver = Resolver()
        resolver.register(name: .fred) { "fred" }
        resolver.register { (_, args) in Page(args.optional() ?? "page") }
        resolver.register(name: .fred) { (_, args) in Page(args.optional("title") ?? "fred's page") }
        let page: Page = resolver.resolve()
        expect(page.label, is: "page")
        expect(Sign(label: resolver.resolve(name: .fred)).label, is: "fred")
        expect((resolver.resolve(name: .fred) as Page).label, is: "fred's page")
        expect((resolver.resolve(args: "news") as Page).label, is: "news")
        expect(resolver.optional(Page.self)?.label, is: "page")
        expect(resolver.optional(Page.self, args: "news")?.label, is: "news")
        expect(resolver.optional(Page.self, name: .fred, args: ["title": "news"])?.label, is: "news")
    }

    @Test func `registrations can have scopes of the app, which hide the kinds of the same name`() {
        row("page") { $0.register { Page() }.scope(.session) }
        row("page") { $0.register { Page() }.scope(ResolverScope.session) }
        row("page") { $0.register { Page() }.scope(ResolverScopeCache()) }
    }

    @Test func `registrations can have modifiers`() {
        row("page", as: Labelled.self) { $0.register { Page() }.implements(Labelled.self) }
        row("page", as: Labelled.self, name: .fred) {
            $0.register { Page(of: $0) }.implements(Labelled.self, name: .fred)
        }
        row("page", as: Labelled.self) { $0.register(name: .fred) { Page() }.implements(Labelled.self).scope(.cached) }
        row("page", as: Counting.self) {
            $0.register { Page() }.scope(.shared).implements(Labelled.self).implements(Counting.self)
        }
        row("set") { $0.register { Page() }.resolveProperties { _, page in page.label = "set" } }
        row("set") { $0.register { Page() }.resolveProperties { (r, page) in page.label = "set" }.scope(.cached) }
        row("set", as: Labelled.self) {
            $0.register { Page() }.resolveProperties { $1.label = "set" }.implements(Labelled.self)
        }
        row("news", args: "news") {
            $0.register { Page() }.resolveProperties { (r, page, args) in page.label = args() }
        }
        row("news", args: ["title": "news"]) { $0.register { Page() }.resolveProperties { $1.label = $2("title") } }
        row("all", as: Labelled.self, name: .barney) {
            $0.register(Page.self, name: .fred) { r, args in Page(args.optional() ?? r.page) }
                .implements(Labelled.self, name: .barney)
                .resolveProperties { _, page in page.label = "all" }
                .scope(.cached)
        }
    }

    @Test func `throwing closures can be registered`() {
        row("page") { $0.register { try Page.make() } }
        row("page") { $0.register { () throws -> Page in try .make() } }
        row("Leaf") { $0.register { r in try Page("\(type(of: r.tryResolve(Leaf.self)))") } }
        row("news", args: "news") { $0.register { _, args in try Page(args.tryGet()) } }
        row("page", as: Labelled.self) { $0.register(Labelled.self) { try Page.make() } }
        row("page") { $0.register(factory: Page.make) }
        row("Leaf") {
            $0.register { Page() }
                .resolveProperties { r, page in page.label = try "\(type(of: r.tryResolve(Leaf.self)))" }
        }
    }

    @Test func `Sendable closures can be registered`() {
        let count = 3
        row("page") { $0.register { @Sendable in Page(count: count) } }
        row("page") { $0.register { @Sendable r in Page(of: r) } }
        row("page") { $0.register { @Sendable [count] _, _ in Page(count: count) } }
    }

    @Test @MainActor func `closures of the main actor can be registered`() {
        func title(_ register: (Resolver) -> Void) -> String? {
            let resolver = Resolver()
            resolver.register { Sign(label: "sign") }
            register(resolver)
            return try? resolver.tryResolve(ViewModel.self, args: "news").title
        }
        expect(title { $0.register { @MainActor () -> ViewModel in ViewModel() } }, is: "title")
        // The parser of Swift 5 mode takes the parentheses for arguments of the attribute.
        #if swift(>=6)
            expect(
                title { $0.register { @MainActor (r: Resolver) in ViewModel(r.resolve(Sign.self).label) } }, is: "sign")
        #endif
        expect(title { $0.register { @MainActor in ViewModel() }.scope(.cached) }, is: "title")
        expect(title { $0.register { @MainActor in ViewModel() }.scope(.shared) }, is: "title")
        expect(
            title {
                $0.register { @MainActor in ViewModel() }
                    .resolveProperties { @MainActor r, model in model.title = "set" }
            }, is: "set")
        expect(
            title { $0.register { @MainActor in ViewModel() }.resolveProperties { @MainActor in $1.title = $2() } },
            is: "news")
    }

    @Test func `each scope accepts each spelling of a name`() {
        for scope in [ResolverScope.application, .cached, .container, .graph, .shared, .unique, .session] {
            for name in [nil, Resolver.Name.fred, "Barney"] {
                row("news", as: Labelled.self, name: name, args: "news") {
                    $0.register(name: name) { r, args in Page(args()) }.implements(Labelled.self, name: name).scope(
                        scope)
                }
            }
        }
    }
}

nonisolated extension Page {
    fileprivate convenience init(of resolver: Resolver) { self.init(resolver.page) }

    @Sendable fileprivate static func make() throws -> Page { Page() }
}

nonisolated extension Resolver {
    /// "page", if the resolver has a leaf.
    fileprivate var page: String { optional(Leaf.self) == nil ? "no leaf" : "page" }
}
