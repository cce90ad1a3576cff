import Resolver
import SwiftUI

final class PageModel: ObservableObject {
    var title: String

    init(title: String) { self.title = title }
}

struct PageView: View {
    @InjectedObject var model: PageModel
    @InjectedObject(name: "draft") var draft: PageModel
    @InjectedObject(container: .archive) var archived: PageModel
    @InjectedObject(name: "draft", container: .archive) var archivedDraft: PageModel

    var body: TextField { TextField("Title", text: $model.title) }

    mutating func replaceModel() { model = PageModel(title: "replaced") }
}
