/// A child scope as a property: made by its parent when it is asked for.
///
///     final class Museum: Gallery.Parent {
///         @ChildScope({ Gallery(parent: $0 as Museum) }) var gallery: Gallery
///         @ChildScope({ (museum: Museum) in Shop(parent: museum) }, .retained) var shop: Shop
///     }
///     museum.gallery.show()
///
/// The closure gets the parent passed in, so it need not hold it, and no ring is made. That the parent is what the child
/// asks of parents is checked when the closure is compiled; it cannot be told from the child alone, so the closure names it.
///
/// Any number of threads may read the property at a time: one child is made, no lock is held meanwhile, and each other thread that
/// reads waits for it. Reading it while making the child traps. The closure runs wherever the property is read, with the
/// isolation of the class that it stands in. Only a class can have such a property.
///
/// `$gallery.current` is the child if there is one, and `$gallery.release()` forgets it.
@propertyWrapper
public final class ChildScope<Parent: AnyObject, Child: AnyObject> {
    /// How long a child lives.
    public enum Lifetime: Sendable {
        /// As long as a reference other than its parent's holds it; then it is made anew for the next reader.
        case weak
        /// Until its parent ends, or `release()`.
        ///
        /// The child must not hold its parent, or they keep each other for ever: `unowned let parent`. A `ScopeNode` lets
        /// go of its parent by itself when it is retained, but properties of a subclass that hold it do not.
        case retained
    }

    let slot: ChildSlot<Child>
    private let make: (Parent) -> Child

    /// Will make children with `make`, which is handed the object that has the property.
    public init(
        _ make: @escaping (Parent) -> Child, _ lifetime: Lifetime = .weak, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let location = SourceLocation(fileID: fileID, line: line)
        slot = ChildSlot(strength: lifetime == .weak ? .weak : .strong, location: location)
        self.make = make
    }

    /// What a property with this wrapper reads. Inlined, so that the key paths vanish.
    @_alwaysEmitIntoClient
    public static subscript(
        _enclosingInstance parent: Parent, wrapped wrapped: KeyPath<Parent, Child>,
        storage storage: KeyPath<Parent, ChildScope<Parent, Child>>
    ) -> Child {
        let scope = parent[keyPath: storage]
        return scope.current ?? scope.child(of: parent)
    }

    @usableFromInline
    func child(of parent: Parent) -> Child {
        slot.child { makeChild(of: parent) }
    }

    private func makeChild(of parent: Parent) -> Child {
        let child = make(parent)
        if slot.strength == .strong {
            (child as? ScopeNode)?.letGo(of: parent)
            (parent as? ScopeNode)?.retain(slot.cell)
        }
        return child
    }

    @available(*, unavailable, message: "Only a class can have a child scope.")
    public var wrappedValue: Child { fatalError("Only a class can have a child scope.") }

    /// The wrapper itself.
    public var projectedValue: ChildScope<Parent, Child> { self }

    /// The child, if there is one. Never makes one, and never waits.
    public var current: Child? { slot.current }

    /// Forgets the child. Those that hold it keep it, and the next reader gets a new one.
    public func release() { slot.release() }
}
