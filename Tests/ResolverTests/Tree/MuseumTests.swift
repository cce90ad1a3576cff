import Resolver
import Testing

/// A tree of plain classes, used as an app uses it.
@Suite struct MuseumTests {
    // MARK: Creation

    @Test func `creating the root creates no child`() {
        let museum = Museum()
        #expect(museum.register.made.value == ["Museum"])
        #expect(
            ScopeNode.treeDescription(of: museum) == """
                Museum, live
                  gallery: Gallery, idle
                  shop: Shop, idle
                  office: Office, idle
                """)
    }

    @Test func `a child scope is created on first use with its parent`() {
        let museum = Museum()
        let gallery = museum.gallery
        let label = gallery.label
        #expect(museum.register.made.value == ["Museum", "Gallery", "Label"])
        #expect(gallery.museum as? Museum === museum)
        #expect(label.parent as? Gallery === gallery)
        #expect(museum.office.parent as? Museum === museum)
        #expect(
            ScopeNode.treeDescription(of: museum) == """
                Museum, live
                  gallery: Gallery, live
                    label: Label, live
                  shop: Shop, idle
                  office: Office, idle
                """)
    }

    @Test func `a parent contract may be empty`() {
        struct Bare: Office.Parent {}
        #expect(Office(parent: Bare()).parent is Bare)
    }

    // MARK: Dependencies

    @Test func `a scope uses its parent's services`() {
        let museum = Museum()
        #expect(museum.gallery.route === museum.galleryRoute)
        #expect(museum.shop.route === museum.shopRoute)
        #expect(museum.gallery.label.catalogue === museum.catalogue)
    }

    @Test func `a lazy property asks the parent once and a computed one each time`() {
        let parent = CountingParent()
        let gallery = Gallery(parent: parent)
        #expect(parent.reads.value == [])
        #expect(gallery.route === gallery.route)
        #expect(parent.reads.value == ["route"])
        #expect(gallery.catalogue === gallery.catalogue)
        #expect(parent.reads.value == ["route", "catalogue", "catalogue"])
    }

    @Test func `a computed property follows the parent and a lazy one does not`() {
        let museum = Museum()
        let gallery = museum.gallery
        let (route, catalogue) = (gallery.route, gallery.catalogue)
        museum.galleryRoute = Route(to: "elsewhere")
        museum.catalogue = Catalogue()
        #expect(gallery.route === route)
        #expect(gallery.catalogue !== catalogue)
        #expect(gallery.catalogue === museum.catalogue)
    }

    @Test func `a scope's own property is created on first read and not shared`() {
        let register = Register()
        let (first, second) = (Museum(register).gallery, Museum(register).gallery)
        #expect(register.count("visitors") == 0)
        first.visitors.append("Ines")
        #expect(register.count("visitors") == 1)
        #expect(second.visitors == [])
        #expect(first.visitors == ["Ines"])
    }

    @Test func `features do not see each other's state`() {
        let museum = Museum()
        let (gallery, shop) = (museum.gallery, museum.shop)
        gallery.visitors = ["Ines", "Omar"]
        #expect(shop.basket == [])
        shop.basket = ["postcard"]
        #expect(gallery.visitors.count == 2)
        #expect(museum.gallery.visitors.count == 2)
    }

    // MARK: Screens

    @Test func `the screens of a scope hold that scope`() {
        let gallery = Museum().gallery
        let screens = [gallery.tour(), gallery.guestBook(), gallery.picture("Harbour at dawn")]
        #expect(screens.map(\.title) == ["Tour", "Guest book", "Harbour at dawn"])
        #expect(screens.allSatisfy { $0.scope === gallery })
    }

    @Test func `nested screens share one scope`() {
        /// Views nested four deep, over a tree of scopes that is two deep.
        indirect enum Layout {
            case screen(View<Gallery>)
            case frame(Layout)
        }
        let museum = Museum()
        let deep = Layout.frame(.frame(.frame(.screen(museum.gallery.tour()))))
        let elsewhere = Layout.screen(museum.gallery.guestBook())
        guard case .frame(.frame(.frame(.screen(let inner)))) = deep, case .screen(let other) = elsewhere else {
            Issue.record("another layout")
            return
        }
        #expect(inner.scope === other.scope)
        #expect(museum.register.count("Gallery") == 1)
    }

    @Test func `screens of different features hold their own scopes`() {
        let museum = Museum()
        let shop = View(title: "Shop", scope: museum.shop)
        let preview = museum.gallery.picture("Poster")
        #expect(shop.scope === museum.shop)
        #expect(preview.scope === museum.gallery)
    }

    @Test func `rows that hold their scope share one scope`() {
        let museum = Museum()
        let gallery = museum.gallery
        let rows = (1...10).map { gallery.label.row("Picture \($0)") }
        #expect(Set(rows.map { ObjectIdentifier($0.scope) }).count == 1)
        #expect(museum.register.count("Label") == 1)
    }

    @Test func `rows that do not hold their scope each get a new one`() {
        let museum = Museum()
        let gallery = museum.gallery
        let titles = (1...10).map { gallery.label.row("Picture \($0)").title }
        #expect(titles.count == 10)
        #expect(museum.register.count("Label") == 10)
        #expect(museum.register.gone.value == Array(repeating: "Label", count: 10))
    }

    // MARK: Release

    @Test func `a scope without references is released and created again`() {
        let museum = Museum()
        museum.gallery.visitors = ["Ines"]
        #expect(museum.register.gone.value == ["Gallery"])
        #expect(museum.gallery.visitors == [])
        #expect(museum.register.count("Gallery") == 2)
    }

    @Test func `a tree of plain scopes is released from the leaf to the root`() {
        let register = Register()
        var museum: Museum? = Museum(register)
        var gallery = museum?.gallery
        var label = gallery?.label
        museum = nil
        gallery = nil
        #expect(register.gone.value == [])
        #expect(label?.catalogue.titles == [])
        label = nil
        #expect(register.gone.value == ["Label", "Gallery", "Museum"])
    }

    @Test func `sixty four threads share one tree`() {
        let register = Register()
        do {
            let museum = Museum(register)
            let got = Box<[Label]>([])
            Threads.run(64) { _ in got.append(museum.gallery.label) }
            #expect(Set(got.value.map(ObjectIdentifier.init)).count == 1)
            #expect(register.made.value.sorted() == ["Gallery", "Label", "Museum"])
        }
        #expect(register.gone.value == ["Label", "Gallery", "Museum"])
    }
}
