import Resolver

/// In place of a controller of UIKit: told when its screen comes and goes.
class ScreenController {
    func viewWillAppear() {}
    func viewDidDisappear() {}
}

final class Thumbnails: Sendable {
    let limit: Int
    let alive: Box<Int>
    let shown = Box(0)

    init(limit: Int, alive: Box<Int>) {
        self.limit = limit
        self.alive = alive
        alive.increment()
    }

    deinit {
        alive.update { $0 -= 1 }
    }
}

final class Uploads: Sendable {}
final class Statistics: Sendable {}

final class GalleryModel: Sendable {
    let uploads: Uploads
    let statistics: Statistics?
    let alive: Box<Int>

    init(uploads: Uploads, statistics: Statistics?, alive: Box<Int>) {
        self.uploads = uploads
        self.statistics = statistics
        self.alive = alive
        alive.increment()
    }

    deinit {
        alive.update { $0 -= 1 }
    }
}

/// Sets its screen and registers what belongs to it when it appears, and clears the screen when it has disappeared.
final class GalleryController: ScreenController {
    @Inject var model: GalleryModel?
    @Inject var thumbnails: Thumbnails?
    let alive = Box(0)

    override func viewWillAppear() {
        ScopeContext.shared.setCurrent(.screen, id: "Gallery")
        Resolver.registerScoped(Thumbnails.self, scope: .screen) { [alive] in Thumbnails(limit: 50, alive: alive) }
        Resolver.registerScoped(GalleryModel.self, scope: .screen) { [alive] in
            GalleryModel(uploads: Resolver.optional()!, statistics: Resolver.optional(), alive: alive)
        }
    }

    override func viewDidDisappear() {
        ScopeContext.shared.clear(.screen)
    }
}

/// Holds on to its own screen, so that it ends that one and no other.
final class PageController: ScreenController {
    let page: Int
    let alive = Box(0)
    private(set) var screen: ScopeHandle?

    init(page: Int) {
        self.page = page
    }

    override func viewWillAppear() {
        let screen = ScopeContext.shared.setCurrent(.screen, id: "Page \(page)")
        for part in ["text", "comments", "related"] {
            screen.register(Counted.self, name: .init(part)) { [alive] in Counted(alive) }
        }
        self.screen = screen
    }

    override func viewDidDisappear() {
        screen?.end()
    }

    func parts() -> [Counted] {
        ["text", "comments", "related"].compactMap { screen?.optional(Counted.self, name: .init($0)) }
    }
}
