// Code that the compiler must refuse, one case at a time: swift build --build-tests -Xswiftc -DNEGATIVE_COMPILE
#if NEGATIVE_COMPILE
    import Resolver

    // A parent must provide everything in the child's contract.
    final class Kiosk: Gallery.Parent {
        let register = Register()
    }

    // A scope must adopt the contract of its child.
    final class Annex {
        @ChildScope({ Gallery(parent: $0 as Annex) }) var gallery: Gallery
    }

    // A child property must name its own class as the parent.
    final class Depot {
        @ChildScope({ Office(parent: $0 as Museum) }) var office: Office
        func open() { _ = office }
    }

    extension Gallery {
        // A child sees only its contract, not the rest of its parent.
        func shopping() { _ = museum.shopRoute }
    }

    // Only classes may have children.
    struct Leaflet {
        @ChildScope({ Office(parent: $0 as Museum) }) var office: Office
    }
#endif
