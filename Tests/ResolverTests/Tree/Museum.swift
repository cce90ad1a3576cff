import Resolver

// A museum, whose scopes are plain classes. Its tree:
//
//     Museum
//       ├── Gallery
//       │     └── Label
//       ├── Shop
//       └── Office
//
// Counters and logs are the tests'; a museum would have none. What scopes share between threads here is safe to share,
// hence the `@unchecked`.

/// Records created and released objects in order.
final class Register: Sendable {
    let made = Box<[String]>([])
    let gone = Box<[String]>([])

    func count(_ name: String) -> Int { made.value.count { $0 == name } }
}

/// A service that records its creation and release.
final class Entry: Sendable {
    let name: String
    let register: Register

    init(_ name: String, in register: Register) {
        self.name = name
        self.register = register
        register.made.append(name)
    }

    deinit { register.gone.append(name) }
}

final class Route: Sendable {
    let place: String
    init(to place: String) { self.place = place }
}

final class Catalogue: @unchecked Sendable {
    var titles: [String]
    init(_ titles: [String] = []) { self.titles = titles }
}

/// Stands in for a view: it retains its scope, as views do.
struct View<Scope: AnyObject> {
    let title: String
    let scope: Scope
}

// MARK: The root

final class Museum: Gallery.Parent, Shop.Parent, Office.Parent, @unchecked Sendable {
    let register: Register

    lazy var galleryRoute = made(Route(to: "gallery"))
    lazy var shopRoute = made(Route(to: "shop"))
    lazy var catalogue = Catalogue()

    @ChildScope({ Gallery(parent: $0 as Museum) }) var gallery: Gallery
    @ChildScope({ Shop(parent: $0 as Museum) }) var shop: Shop
    @ChildScope({ Office(parent: $0 as Museum) }) var office: Office

    init(_ register: Register = Register()) {
        self.register = register
        register.made.append("Museum")
    }

    deinit { register.gone.append("Museum") }

    private func made(_ route: Route) -> Route {
        register.made.append("Route")
        return route
    }
}

// MARK: A feature with a child

class Gallery: Label.Parent, @unchecked Sendable {
    protocol Parent {
        var register: Register { get }
        var galleryRoute: Route { get }
        var catalogue: Catalogue { get }
    }

    private let parent: any Parent

    /// Forwarded once, on the first read.
    lazy var route = parent.galleryRoute
    /// Forwarded on each read.
    var catalogue: Catalogue { parent.catalogue }
    /// The scope's own property.
    lazy var visitors: [String] = {
        register.made.append("visitors")
        return []
    }()

    @ChildScope({ Label(parent: $0 as Gallery) }) var label: Label

    init(parent: any Parent) {
        self.parent = parent
        parent.register.made.append("Gallery")
    }

    deinit { register.gone.append("Gallery") }

    var register: Register { parent.register }
    var museum: any Parent { parent }

    func tour() -> View<Gallery> { View(title: "Tour", scope: self) }
    func guestBook() -> View<Gallery> { View(title: "Guest book", scope: self) }
    func picture(_ title: String) -> View<Gallery> { View(title: title, scope: self) }
}

// MARK: An item of a list

final class Label: @unchecked Sendable {
    protocol Parent {
        var register: Register { get }
        var catalogue: Catalogue { get }
    }

    let parent: any Parent

    init(parent: any Parent) {
        self.parent = parent
        parent.register.made.append("Label")
    }

    deinit { parent.register.gone.append("Label") }

    var catalogue: Catalogue { parent.catalogue }

    func row(_ title: String) -> View<Label> { View(title: title, scope: self) }
}

// MARK: Other features

final class Shop: @unchecked Sendable {
    protocol Parent {
        var shopRoute: Route { get }
    }

    let route: Route
    var basket: [String] = []

    init(parent: any Parent) {
        route = parent.shopRoute
    }
}

/// Its parent contract is empty.
final class Office: @unchecked Sendable {
    protocol Parent {}

    let parent: any Parent
    init(parent: any Parent) { self.parent = parent }
}
