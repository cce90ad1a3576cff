import Resolver
import Testing

@Suite struct ArgumentTests {
    private func row(
        _ label: String, count: Int = 0, _ register: (Resolver) -> Void, by resolve: (Resolver) -> Page,
        at location: Testing.SourceLocation = #_sourceLocation
    ) {
        let resolver = Resolver()
        register(resolver)
        let page = resolve(resolver)
        #expect(page.label == label, sourceLocation: location)
        #expect(page.count == count, sourceLocation: location)
    }

    @Test func `a factory reads one argument in three spellings`() {
        row("news", { $0.register { (_, args) in Page(args()) } }, by: { $0.resolve(args: "news") })
        row("news", { $0.register { (_, args) in Page(args.get()) } }, by: { $0.resolve(args: "news") })
        let optional = { (resolver: Resolver) in _ = resolver.register { Page($1.optional() ?? "untitled") } }
        row("news", optional, by: { $0.resolve(Page.self, args: "news") })
        row("untitled", optional, by: { $0.resolve(Page.self) })
        let count: Int? = 5
        row("page", count: 5, { $0.register { (_, args) in Page(count: args.get()) } }, by: { $0.resolve(args: count) })
        row("fixed", { $0.register { Page("fixed") } }, by: { $0.resolve(Page.self, args: "news") })
    }

    @Test func `a factory reads several arguments by their keys`() {
        row(
            "news", count: 3, { $0.register { (_, args) in Page(args("title"), count: args("size")) } },
            by: { $0.resolve(args: ["title": "news", "size": 3]) })
        row(
            "news", count: 3, { $0.register { (_, args) in Page(args.get("title"), count: args.get("size")) } },
            by: { $0.resolve(args: ["title": "news", "size": 3]) })
        row(
            "untitled", count: 3,
            {
                $0.register { (_, args) in
                    Page(args.optional("title") ?? "untitled", count: args.optional("size") ?? 1)
                }
            }, by: { $0.resolve(args: ["size": 3]) })
    }

    @Test func `a dictionary of one type is a set of arguments with keys`() {
        let wanted = { (resolver: Resolver) in
            _ = resolver.register { (_, args) in Page(args.optional("wanted") == true ? "wanted" : "unwanted") }
        }
        row("wanted", wanted, by: { $0.resolve(Page.self, args: ["wanted": true]) })
        row("unwanted", wanted, by: { $0.resolve(Page.self, args: ["wanted": false]) })
        row(
            "news", { $0.register { (_, args) in Page(args()) } },
            by: { $0.resolve(Page.self, args: ["title": "news"]) })
    }

    @Test func `arguments pass through factories, aliases and property blocks`() {
        row(
            "news", count: 3,
            {
                $0.register { (_, args) in Page(args("title"), count: args("size")) }
                $0.register(Labelled.self) { r, args in r.resolve(Page.self, args: args) }
            }, by: { $0.resolve(Labelled.self, args: ["title": "news", "size": 3]) as! Page })
        row(
            "news", count: 3,
            {
                $0.register { Page() }.resolveProperties { (_, page, args) in
                    page.label = args("title")
                    page.count = args.get("size")
                }
            }, by: { $0.resolve(args: ["title": "news", "size": 3]) })
        row(
            "news", { $0.register { (_, args) in Page(args()) }.implements(Labelled.self) },
            by: { $0.resolve(Labelled.self, args: "news") as! Page })
        row(
            "news",
            {
                $0.register { Page() }.implements(Labelled.self, name: .fred)
                    .resolveProperties { (_, page, args) in page.label = args.get("title") }
            }, by: { $0.optional(Labelled.self, name: .fred, args: ["title": "news"]) as! Page })
    }

    @Test func `wrapped arguments are unwrapped once`() {
        let args = Resolver.Args(Resolver.Args("news")), title: String = args()
        #expect(title == "news")
    }
}
