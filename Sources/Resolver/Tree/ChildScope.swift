/// A child scope that lives as long as a reference to it.
///
///     final class Museum: Gallery.Parent {
///         lazy var gallery: Weak<Gallery> = Weak(of: self) { Gallery(parent: $0) }
///     }
///     museum.gallery.value.show()
///
/// The child is made when `value` is first read, is the same for all that read while it is held, goes with its last
/// holder, and is then made anew for the next. Until then it costs nothing.
///
/// Any number of threads may ask one `Weak` at a time: one child is made, no lock is held meanwhile, and each other thread that asks
/// waits for it. It is not `Sendable` all the same, as the closure is not: that runs wherever `value` is read. Nor is a
/// `lazy var` safe to be read first by two threads. `@ChildScope` needs none.
public final class Weak<T: AnyObject> {
    let slot: ChildSlot<T>
    private let provider: () -> T

    /// Will make children with `provider`, which is held until the end of this object.
    ///
    /// A property of a scope whose closure uses `self` makes a ring: the scope holds the `Weak`, the `Weak` the closure, the
    /// closure the scope. None of them ever goes, unless the closure says `[unowned self]`. `init(of:_:)` makes no such ring.
    public init(_ provider: @escaping () -> T, fileID: StaticString = #fileID, line: UInt = #line) {
        slot = ChildSlot(strength: .weak, location: SourceLocation(fileID: fileID, line: line))
        self.provider = provider
    }

    /// Will make children of `owner`, which is handed to `make` and not held.
    ///
    /// Reading `value` when there is no child and the owner is gone traps: the reader has to hold the owner, as a rule by
    /// getting here through it.
    public convenience init<Owner: AnyObject>(
        of owner: Owner, fileID: StaticString = #fileID, line: UInt = #line, _ make: @escaping (Owner) -> T
    ) {
        let provider = { [weak owner] in
            guard let owner else {
                fatalError(Messages.ownerIsGone(T.self, Owner.self), file: fileID, line: line)
            }
            return make(owner)
        }
        self.init(provider, fileID: fileID, line: line)
    }

    /// The child, made now if none is held. The caller has to hold it for as long as it is to live.
    ///
    /// Traps if making the child asks for it again, on this thread or by way of others that wait for each other.
    public var value: T { slot.current ?? slot.child(make: provider) }

    /// The child, if there is one. Never makes one, and never waits.
    public var current: T? { slot.current }

    /// Forgets the child. Those that hold it keep it, and the next to read `value` gets a new one.
    public func release() { slot.release() }
}

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

/// The place of one child scope: made when it is asked for, by exactly one thread; others that ask meanwhile wait for it
/// and for nothing else.
///
/// It never holds its owner: each call passes what makes the child.
struct ChildSlot<Child: AnyObject>: Sendable {
    let cell = InstanceCell()
    let strength: InstanceCell.ReferenceStrength
    /// Where the slot stands in the user's code.
    let location: SourceLocation

    /// The child, if it is there; never makes one.
    var current: Child? {
        cell.kept.map { InstanceBox.unpack($0) }
    }

    /// The child; `make` is called by the first to ask.
    @inline(never)
    func child(make: () -> Child) -> Child {
        do throws(ResolutionError) {
            return InstanceBox.unpack(try cell.object(of: .child(Child.self, in: cell), strength: strength, make: make))
        } catch {
            fatalError(Messages.childNeedsItself(error), file: location.fileID, line: location.line)
        }
    }

    /// Forgets the child.
    func release() { cell.empty() }
}
