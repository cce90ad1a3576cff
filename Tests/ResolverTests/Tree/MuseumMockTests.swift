import Resolver
import Testing

/// Developing and testing a feature without its app.
@Suite struct MuseumMockTests {
    @Test func `a feature works with a mock parent`() {
        let parent = CountingParent()
        let gallery = Gallery(parent: parent)
        gallery.visitors = ["Ines", "Omar", "Ada"]
        #expect(gallery.visitors.count == 3)
        #expect(gallery.tour().scope.route.place == "nowhere")
        #expect(parent.register.made.value.contains("Museum") == false)
    }

    @Test @MainActor func `a static mock can serve previews`() {
        #expect(Gallery.mock.catalogue.titles == ["Untitled"])
        #expect(Gallery.mock.label.catalogue === Gallery.mock.catalogue)
    }

    /// A scope that is not final may have a mock subclass.
    final class MockGallery: Gallery, @unchecked Sendable {
        init() {
            super.init(parent: CountingParent())
            visitors = ["sample"]
        }
    }

    @Test func `a mock scope starts in the state that a test wants`() {
        #expect(MockGallery().visitors == ["sample"])
        let gallery: Gallery = MockGallery()
        #expect(gallery.label.catalogue === gallery.catalogue)
    }

    @Test func `a service of a mock root reaches the leaf two levels down`() {
        let root = CountingParent()
        let label = Gallery(parent: root).label
        #expect(label.catalogue === root.sample)
        #expect(root.reads.value == ["catalogue"])
        #expect(root.register.made.value == ["Gallery", "Label"])
    }

    // MARK: The next version

    /// A shop that also sells the catalogue: its contract requires more.
    final class LargerShop {
        protocol Parent: Shop.Parent {
            var catalogue: Catalogue { get }
        }

        private let parent: any Parent
        init(parent: any Parent) { self.parent = parent }
        var articles: [String] { parent.catalogue.titles }
    }

    @Test func `a feature with a larger contract needs no change in the root`() {
        let museum = Museum()
        museum.catalogue.titles = ["Harbour at dawn"]
        #expect(LargerShop(parent: museum).articles == ["Harbour at dawn"])
    }
}

/// The extension is empty, because the museum has a catalogue.
extension Museum: MuseumMockTests.LargerShop.Parent {}

extension Gallery {
    private class MockParent: Parent {
        let register = Register()
        var galleryRoute = Route(to: "preview")
        var catalogue = Catalogue(["Untitled"])
    }

    @MainActor static let mock = Gallery(parent: MockParent())
}

/// Counts the reads of its properties.
final class CountingParent: Gallery.Parent, Sendable {
    let reads = Box<[String]>([])
    let register = Register()
    let sample = Catalogue(["Sample"])

    var galleryRoute: Route {
        reads.append("route")
        return Route(to: "nowhere")
    }

    var catalogue: Catalogue {
        reads.append("catalogue")
        return sample
    }
}
