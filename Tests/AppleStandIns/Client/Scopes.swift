import Resolver
import SwiftUI

@MainActor final class Museum {
    static var made = 0
    let name = "Museum"
    @ChildScope({ Gallery(museum: $0 as Museum) }) var gallery: Gallery

    init() { Museum.made += 1 }
}

@MainActor final class Gallery {
    let museum: Museum
    init(museum: Museum) { self.museum = museum }
}

struct MuseumView: View {
    @HeldScope var museum = Museum()

    var body: TextField { TextField("Name", text: PageModel(title: museum.name).binding) }
}

struct GalleryView: View {
    @HeldScope var gallery: Gallery

    var body: TextField { TextField("Name", text: PageModel(title: gallery.museum.name).binding) }
}

extension PageModel {
    @MainActor fileprivate var binding: Binding<String> { ObservedObject(wrappedValue: self).projectedValue.title }
}
