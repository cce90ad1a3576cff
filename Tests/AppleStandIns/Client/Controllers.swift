import Resolver
import UIKit

class PageController: UIViewController, StoryboardResolving {
    var model: PageModel!
    var resolutions = 0

    func resolveViewController() {
        model = resolver.optional()
        resolutions += 1
    }
}

class PlainController: UIViewController {}
