// What the compiler must refuse, one by one: swift build --build-tests -Xswiftc -DNEGATIVE_COMPILE
#if NEGATIVE_COMPILE
    import Resolver

    // Nobody becomes a parent who does not have what the child asks for.
    final class Kiosk: Gallery.Parent {
        let register = Register()
    }

    // Nor is a scope the parent of one whose contract it does not adopt.
    final class Annex {
        @ChildScope({ Gallery(parent: $0 as Annex) }) var gallery: Gallery
    }

    // A property makes children for its own class.
    final class Depot {
        @ChildScope({ Office(parent: $0 as Museum) }) var office: Office
        func open() { _ = office }
    }

    extension Gallery {
        // A child sees what its contract has, and nothing else of its parent.
        func shopping() { _ = museum.shopRoute }
    }

    // Only classes have children.
    struct Leaflet {
        @ChildScope({ Office(parent: $0 as Museum) }) var office: Office
    }
#endif
