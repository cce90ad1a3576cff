/// An app that uses everything in Sources/Resolver/Apple and fails if any of it behaves incorrectly.
@main @MainActor
struct Client {
    static func main() {
        checkViews()
        checkScopes()
        checkControllers()
        checkRequests()
    }

    static func checkViews() {
        var view = PageView()
        check("the unnamed service comes from the root", view.model.title == "main")
        check("a named service is resolved by its name", view.draft.title == "main draft")
        check("a container is asked instead of the root", view.archived.title == "archive")
        check("a container is asked by name", view.archivedDraft.title == "archive draft")

        let resolved = view.model
        view.body.text.wrappedValue = "edited"
        check("the projected value binds to the service", resolved.title == "edited")

        let sibling = PageView()
        check("a shared service is the same object in two views", sibling.model === resolved)
        view.replaceModel()
        check("assigning replaces the service in this view", view.model.title == "replaced")
        check("assigning leaves the other view as it is", sibling.model === resolved)
    }

    static func checkScopes() {
        let view = MuseumView()
        check("making a view makes no scope", Museum.made == 0)
        let museum = view.museum
        check("the scope is made when it is read", Museum.made == 1)
        let copy = view
        check("and once", copy.museum === museum && view.body.text.wrappedValue == "Museum" && Museum.made == 1)

        var held: GalleryView? = GalleryView(gallery: museum.gallery)
        check("a scope may be passed in", held?.gallery === museum.gallery)
        check("the view holds it", museum.$gallery.current === held?.gallery)
        held = nil
        check("it goes with the view", museum.$gallery.current == nil)
    }

    static func checkControllers() {
        let controller = PageController()
        check("nothing is resolved before the storyboard asks", controller.model == nil)
        controller.resolving = true
        check("the attribute resolves the services of the controller", controller.model?.title == "main")
        controller.resolving = false
        check("whatever is assigned resolves", controller.resolutions == 2)
        check("the attribute reads true", controller.resolving)

        let plain = PlainController()
        plain.resolving = false
        check("a controller that resolves nothing ignores the attribute", plain.resolving)
    }

    static func check(_ claim: String, _ holds: Bool) { if !holds { fatalError("Not so: \(claim).") } }
}
