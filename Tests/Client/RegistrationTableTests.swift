import Resolver
import Testing

/// Every form of registration that the language allows. Each row registers on its own resolver and resolves.
@Suite struct RegistrationTableTests {
    private func row(
        _ expected: String, _ register: (Resolver) -> Void,
        by resolve: (Resolver) -> Labelled? = { $0.resolve(Page.self) },
        at location: Testing.SourceLocation = #_sourceLocation
    ) {
        let resolver = Resolver()
        resolver.register { Leaf() }
        register(resolver)
        expect(resolve(resolver)?.label, is: expected, sourceLocation: location)
    }

    @Test func `closures without parameters can be registered`() {
        row("page") { $0.register { Page() } }
        row("page", { $0.register { return Page() } }, by: { $0.optional(Page.self) })
        row("page") { $0.register { () -> Page in Page() } }
        row("page") { $0.register { () -> Page? in Page() } }
        row("page") { $0.register(factory: { Page() }) }
        row("page", { $0.register { Page() as Labelled } }, by: { $0.resolve(Labelled.self) })
        row("page", { $0.register { Page() as Any as? Labelled } }, by: { $0.resolve(Labelled.self) })
        row("sign", { $0.register { Sign(label: "sign") } }, by: { $0.resolve(Sign.self) })
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
        row("page", { $0.register { Page(of: $0) as Labelled } }, by: { $0.resolve(Labelled.self) })
    }

    @Test func `closures with a resolver and arguments can be registered`() {
        row("news", { $0.register { r, args in Page(args()) } }, by: { $0.resolve(Page.self, args: "news") })
        row("news", { $0.register { (_, args) in Page(args.get()) } }, by: { $0.optional(Page.self, args: "news") })
        row("page") { $0.register { _, _ in Page() } }
        row("page") { $0.register { r, _ in Page(of: r) } }
        row("news", { $0.register { Page($1("title")) } }, by: { $0.resolve(args: ["title": "news"]) as Page })
        row("page") { $0.register { Page($1.optional() ?? $0.page) } }
        row(
            "news", { $0.register { (_, args) -> Labelled? in Page(args.get("title")) } },
            by: { $0.optional(Labelled.self, args: ["title": "news"]) })
        row(
            "news", { $0.register { (r: Resolver, args: Resolver.Args) -> Page in Page(args()) } },
            by: { $0.resolve(Page.self, args: "news") })
    }

    @Test func `factories can be registered with types and names`() {
        row("page") { $0.register(Page.self) { Page() } }
        row("page", { $0.register(Labelled.self) { Page() } }, by: { $0.resolve(Labelled.self) })
        row("page", { $0.register(Labelled.self) { r in Page(of: r) } }, by: { $0.resolve(Labelled.self) })
        row("news", { $0.register(Labelled.self) { Page($1()) } }, by: { $0.resolve(Labelled.self, args: "news") })
        row("fred", { $0.register(name: .fred) { Page("fred") } }, by: { $0.resolve(Page.self, name: .fred) })
        row("fred", { $0.register(name: "Fred") { Page("fred") } }, by: { $0.resolve(name: .fred) as Page })
        row("fred", { $0.register(name: .fred) { _ in Page("fred") } }, by: { $0.resolve(Page.self, name: "Fred") })
        row(
            "news", { $0.register(name: .fred) { _, args in Page(args()) } },
            by: { $0.resolve(Page.self, name: .fred, args: "news") })
        row(
            "news", { $0.register(Labelled.self, name: .fred) { _, args in Page(args()) } },
            by: { $0.optional(Labelled.self, name: .fred, args: "news") })
        row("text", { $0.register(name: .fred) { "text" } }, by: { Sign(label: $0.resolve(name: .fred)) })
    }

    @Test func `registrations can have scopes of the app, which hide the kinds of the same name`() {
        row("page") { $0.register { Page() }.scope(.session) }
        row("page") { $0.register { Page() }.scope(ResolverScope.session) }
        row("page") { $0.register { Page() }.scope(ResolverScopeCache()) }
    }

    @Test func `registrations can have modifiers`() {
        row("page", { $0.register { Page() }.implements(Labelled.self) }, by: { $0.resolve(Labelled.self) })
        row(
            "page", { $0.register { Page(of: $0) }.implements(Labelled.self, name: .fred) },
            by: { $0.resolve(Labelled.self, name: .fred) })
        row(
            "page", { $0.register(name: .fred) { Page() }.implements(Labelled.self).scope(.cached) },
            by: { $0.resolve(Labelled.self) })
        row(
            "page", { $0.register { Page() }.scope(.shared).implements(Labelled.self).implements(Counting.self) },
            by: { $0.resolve(Counting.self) as? Labelled })
        row("set") { $0.register { Page() }.resolveProperties { _, page in page.label = "set" } }
        row("set") { $0.register { Page() }.resolveProperties { (r, page) in page.label = "set" }.scope(.cached) }
        row(
            "set", { $0.register { Page() }.resolveProperties { $1.label = "set" }.implements(Labelled.self) },
            by: { $0.resolve(Labelled.self) })
        row(
            "news", { $0.register { Page() }.resolveProperties { (r, page, args) in page.label = args() } },
            by: { $0.resolve(Page.self, args: "news") })
        row(
            "news", { $0.register { Page() }.resolveProperties { $1.label = $2("title") } },
            by: { $0.resolve(Page.self, args: ["title": "news"]) })
        row(
            "all",
            {
                $0.register(Page.self, name: .fred) { r, args in Page(args.optional() ?? r.page) }
                    .implements(Labelled.self, name: .barney)
                    .resolveProperties { _, page in page.label = "all" }
                    .scope(.cached)
            },
            by: { $0.resolve(Labelled.self, name: .barney) })
    }

    @Test func `throwing closures can be registered`() {
        row("page", { $0.register { try Page.make() } }, by: { try? $0.tryResolve(Page.self) })
        row("page") { $0.register { () throws -> Page in try .make() } }
        row("Leaf") { $0.register { r in try Page("\(type(of: r.tryResolve(Leaf.self)))") } }
        row("news", { $0.register { _, args in try Page(args.tryGet()) } }, by: { $0.resolve(Page.self, args: "news") })
        row("page", { $0.register(Labelled.self) { try Page.make() } }, by: { $0.resolve(Labelled.self) })
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
        expect(title { $0.register { @MainActor in ViewModel() } }, is: "title")
        expect(title { $0.register { @MainActor () -> ViewModel in ViewModel() } }, is: "title")
        expect(title { $0.register { @MainActor r in ViewModel(r.resolve(Sign.self).label) } }, is: "sign")
        // The parser of Swift 5 mode takes the parentheses for arguments of the attribute.
        #if swift(>=6)
            expect(
                title { $0.register { @MainActor (r: Resolver) in ViewModel(r.resolve(Sign.self).label) } }, is: "sign")
        #endif
        expect(title { $0.register { @MainActor _, args in ViewModel(args()) } }, is: "news")
        expect(title { $0.register(ViewModel.self) { @MainActor in ViewModel() } }, is: "title")
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
                row(
                    "news",
                    {
                        $0.register(name: name) { r, args in Page(args()) }
                            .implements(Labelled.self, name: name)
                            .scope(scope)
                    },
                    by: { $0.resolve(Labelled.self, name: name, args: "news") })
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
