// The services of this target's own tests. Declarations without `nonisolated` belong to the main actor.

protocol Titled: AnyObject { var title: String { get } }

final class Model: Titled {
    var title: String
    var count: Int

    init(_ title: String = "model", count: Int = 0) { (self.title, self.count) = (title, count) }
}
