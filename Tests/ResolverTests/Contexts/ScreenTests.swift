import Resolver
import Testing

/// What belongs to a screen lives as long as it. Each test is a process of its own: there is one screen in a process.
@Suite struct ScreenTests {
    /// A gallery that has appeared.
    private static func gallery() -> GalleryController {
        Resolver.register { Uploads() }
        let gallery = GalleryController()
        gallery.viewWillAppear()
        return gallery
    }

    // MARK: One screen

    @Test func `clearing releases an instance that nobody else holds`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { Leaf() }.scoped(to: .screen)
            ScopeContext.shared.setCurrent(.screen, id: "A")
            weak let leaf = resolver.resolve(Leaf.self)
            #expect(leaf != nil)
            ScopeContext.shared.clear(.screen)
            #expect(leaf == nil)
        }
    }

    @Test func `the state of a screen does not appear on another`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { Box(0) }.scoped(to: .screen)
            ScopeContext.shared.setCurrent(.screen, id: "A")
            resolver.resolve(Box<Int>.self).set(7)
            #expect(resolver.resolve(Box<Int>.self).value == 7)
            ScopeContext.shared.setCurrent(.screen, id: "B")
            #expect(resolver.resolve(Box<Int>.self).value == 0)
        }
    }

    @Test func `the cells of a gallery share its thumbnails and the next gallery has new ones`() async {
        await #expect(processExitsWith: .success) {
            struct Cell {
                @Inject var thumbnails: Thumbnails?
            }
            let gallery = ScreenTests.gallery()
            Cell().thumbnails?.shown.set(3)
            #expect(Cell().thumbnails?.shown.value == 3)
            gallery.viewDidDisappear()
            #expect(gallery.alive.value == 0)
            gallery.viewWillAppear()
            #expect(Cell().thumbnails?.shown.value == 0)
        }
    }

    @Test func `a controller finds its services from its appearance to its disappearance`() async {
        await #expect(processExitsWith: .success) {
            Resolver.register { Uploads() }
            let gallery = GalleryController()
            #expect(gallery.model == nil)
            gallery.viewWillAppear()
            #expect(gallery.model != nil)
            #expect(gallery.model === gallery.model)
            #expect(gallery.thumbnails === gallery.thumbnails)
            gallery.viewDidDisappear()
            #expect(gallery.model == nil)
        }
    }

    @Test func `disappearing releases what was made and forgets what was registered`() async {
        await #expect(processExitsWith: .success) {
            let gallery = ScreenTests.gallery()
            _ = (gallery.model, gallery.thumbnails)
            #expect(gallery.alive.value == 2)
            gallery.viewDidDisappear()
            #expect(gallery.alive.value == 0)
            #expect(Resolver.optional(GalleryModel.self) == nil)
            #expect(Resolver.optional(Thumbnails.self) == nil)
        }
    }

    @Test func `a factory of a screen takes what is there and nil for what is not`() async {
        await #expect(processExitsWith: .success) {
            Resolver.main.register { Uploads() }.scope(.application)
            let gallery = GalleryController()
            gallery.viewWillAppear()
            #expect(gallery.model?.uploads === Resolver.resolve(Uploads.self))
            #expect(gallery.model != nil)
            #expect(gallery.model?.statistics == nil)
            #expect(gallery.thumbnails?.limit == 50)
        }
    }

    @Test func `a screen that is entered again starts fresh`() async {
        await #expect(processExitsWith: .success) {
            let gallery = ScreenTests.gallery()
            let first = gallery.model
            gallery.viewDidDisappear()
            gallery.viewWillAppear()
            #expect(gallery.model != nil)
            #expect(gallery.model !== first)
        }
    }

    @Test func `what a task registers later belongs to the screen that was set outside of it`() async {
        await #expect(processExitsWith: .success) {
            let alive = Box(0)
            let screen = await Threads.result { ScopeContext.shared.setCurrent(.screen, id: "Home") }
            await Task {
                for name in ["one", "two"] {
                    await Resolver.registerScoped(Counted.self, name: .init(name), scope: .screen) { Counted(alive) }
                    _ = Resolver.resolve(Counted.self, name: .init(name))
                }
            }.value
            #expect(screen.instanceCount == 2)
            await Threads.result { ScopeContext.shared.clear(.screen) }
            #expect(alive.value == 0)
        }
    }

    @Test func `asking for what is not registered is nil`() {
        final class Stranger {}
        #expect(Resolver.withScope(.screen, id: "Home") { Resolver.optional(Stranger.self) } == nil)
    }

    // MARK: Several

    @Test func `a screen keeps all its parts and releases them together`() async {
        await #expect(processExitsWith: .success) {
            let controller = PageController(page: 1)
            controller.viewWillAppear()
            do {
                let first = controller.parts(), second = controller.parts()
                #expect(first.count == 3)
                #expect(zip(first, second).allSatisfy { $0 === $1 })
            }
            #expect(controller.alive.value == 3)
            ScopeContext.shared.clear(.screen)
            #expect(controller.alive.value == 0)
        }
    }

    @Test func `a page that is never cleared is replaced by the next`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen), first = PageController(page: 1), second = PageController(page: 2)
            first.viewWillAppear()
            _ = first.parts()
            second.viewWillAppear()
            #expect(first.alive.value == 0)
            #expect(ScopeContext.shared.openScopes().map(\.id) == ["Page 2"])
            #expect(log.ends == [.init(kind: .screen, id: "Page 1", reason: .replaced, instances: 3)])
        }
    }

    @Test func `with handles a pushed screen survives the disappearance of the one below`() async {
        await #expect(processExitsWith: .success) {
            let below = PageController(page: 1), pushed = PageController(page: 2)
            below.viewWillAppear()
            // UIKit announces the new screen before it tells the old one that it has gone.
            pushed.viewWillAppear()
            _ = pushed.parts()
            below.viewDidDisappear()
            #expect(ScopeContext.shared.currentID(for: .screen) == "Page 2")
            #expect(pushed.alive.value == 3)
        }
    }

    @Test func `without a handle the disappearance of the one below clears the pushed screen and the event shows it`()
        async
    {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen), gallery = ScreenTests.gallery(), pushed = PageController(page: 2)
            pushed.viewWillAppear()
            gallery.viewDidDisappear()
            #expect(ScopeContext.shared.currentID(for: .screen) == nil)
            #expect(log.ends.last == .init(kind: .screen, id: "Page 2", reason: .cleared, instances: 0))
        }
    }
}
