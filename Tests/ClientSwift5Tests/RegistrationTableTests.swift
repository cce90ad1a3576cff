import Resolver
import XCTest

/// Every form of registration that the language allows. Each row registers on its own resolver and resolves.
class RegistrationTableTests: XCTestCase {
    private func row(
        _ expected: String, _ register: (Resolver) -> Void, by resolve: (Resolver) -> Labelled?, line: UInt = #line
    ) {
        let resolver = Resolver()
        resolver.register { Leaf() }
        register(resolver)
        XCTAssertEqual(resolve(resolver)?.label, expected, line: line)
    }

    func testClosuresWithoutParameters() {
        row("page", { $0.register { Page() } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { return Page() } }, by: { $0.optional(Page.self) })
        row("page", { $0.register { () -> Page in Page() } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { () -> Page? in Page() } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register(factory: { Page() }) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() as Labelled } }, by: { $0.resolve(Labelled.self) })
        row("page", { $0.register { Page() as Any as? Labelled } }, by: { $0.resolve(Labelled.self) })
        row("sign", { $0.register { Sign(label: "sign") } }, by: { $0.resolve(Sign.self) })
        row(
            "late",
            {
                $0.register {
                    let page = Page()
                    page.label = "late"
                    return page
                }
            }, by: { $0.resolve(Page.self) })
    }

    func testClosuresWithAResolver() {
        row("page", { $0.register { r in Page(of: r) } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { (r) in Page(of: r) } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { (r: Resolver) in Page(of: r) } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { r -> Page in Page(of: r) } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page(of: $0) } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { _ in Page() } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page(of: $0) as Labelled } }, by: { $0.resolve(Labelled.self) })
    }

    func testClosuresWithAResolverAndArguments() {
        row("news", { $0.register { r, args in Page(args()) } }, by: { $0.resolve(Page.self, args: "news") })
        row("news", { $0.register { (_, args) in Page(args.get()) } }, by: { $0.optional(Page.self, args: "news") })
        row("page", { $0.register { _, _ in Page() } }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { r, _ in Page(of: r) } }, by: { $0.resolve(Page.self) })
        row("news", { $0.register { Page($1("title")) } }, by: { $0.resolve(args: ["title": "news"]) as Page })
        row("page", { $0.register { Page($1.optional() ?? $0.page) } }, by: { $0.resolve(Page.self) })
        row(
            "news", { $0.register { (_, args) -> Labelled? in Page(args.get("title")) } },
            by: { $0.optional(Labelled.self, args: ["title": "news"]) })
        row(
            "news", { $0.register { (r: Resolver, args: Resolver.Args) -> Page in Page(args()) } },
            by: { $0.resolve(Page.self, args: "news") })
    }

    func testTypesAndNames() {
        row("page", { $0.register(Page.self) { Page() } }, by: { $0.resolve(Page.self) })
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

    func testScopes() {
        row("page", { $0.register { Page() }.scope(.application) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(.cached) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(.container) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(.graph) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(.shared) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(.unique) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(.session) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(ResolverScope.session) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page() }.scope(ResolverScopeCache()) }, by: { $0.resolve(Page.self) })
        row("page", { $0.register { Page(of: $0) as Labelled }.scope(.cached) }, by: { $0.resolve(Labelled.self) })
        row("news", { $0.register { Page($1()) }.scope(.shared) }, by: { $0.resolve(Page.self, args: "news") })
    }

    func testModifiers() {
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
        row(
            "set", { $0.register { Page() }.resolveProperties { _, page in page.label = "set" } },
            by: { $0.resolve(Page.self) })
        row(
            "set", { $0.register { Page() }.resolveProperties { (r, page) in page.label = "set" }.scope(.cached) },
            by: { $0.resolve(Page.self) })
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

    func testEachScopeTakesEachName() {
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

extension Page {
    fileprivate convenience init(of resolver: Resolver) {
        self.init(resolver.page)
    }
}

extension Resolver {
    /// "page", if the resolver has a leaf.
    fileprivate var page: String { optional(Leaf.self) == nil ? "no leaf" : "page" }
}
