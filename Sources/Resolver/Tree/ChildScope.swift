/// A weak reference to a child scope, which is created on demand.
///
///     final class Museum: Gallery.Parent {
///         lazy var gallery: Weak<Gallery> = Weak(of: self) { Gallery(parent: $0) }
///     }
///     museum.gallery.value.show()
///
/// The child is created when `value` is read and no child exists. All readers share the child until its last reference is
/// released. An unread `Weak` creates no child.
///
/// Any number of threads may read `value` at once: one child is created, outside of every lock, and the other threads wait for
/// it. `Weak` is still not `Sendable`, because its closure is not: the closure runs on any thread that reads `value`. Two
/// threads must not be the first to read a `lazy var` at once. `@ChildScope` needs no `lazy var`.
public final class Weak<T: AnyObject> {
    let reference: ChildReference<T>
    private let provider: () -> T

    /// Creates a `Weak` whose children `provider` creates. It retains `provider`.
    ///
    /// In a property of a scope, a closure that captures `self` causes a reference cycle: the scope, the `Weak` and the closure
    /// retain each other. Write `[unowned self]`, or use `init(of:_:)`, which causes no reference cycle.
    public init(_ provider: @escaping () -> T, fileID: StaticString = #fileID, line: UInt = #line) {
        reference = ChildReference(strength: .weak, location: SourceLocation(fileID: fileID, line: line))
        self.provider = provider
    }

    /// Creates a `Weak` whose children `make` creates. `owner` is passed to `make`, and not retained.
    ///
    /// Reading `value` traps if there is no child and the owner was released. A reader usually holds the owner, because it
    /// reads `value` through it.
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

    /// The child, which is created if there is none. The caller must hold it.
    ///
    /// Traps if the creation of the child reads `value` again, on this thread or through threads that wait for each other.
    public var value: T { reference.current ?? reference.child(make: provider) }

    /// The child, or nil. Never creates one, and never waits.
    public var current: T? { reference.current }

    /// Removes the reference to the child. Other references to it stay valid, and the next read of `value` creates a new one.
    public func release() { reference.release() }
}

/// A property for a child scope that its parent creates on demand.
///
///     final class Museum: Gallery.Parent {
///         @ChildScope({ Gallery(parent: $0 as Museum) }) var gallery: Gallery
///         @ChildScope({ (museum: Museum) in Shop(parent: museum) }, .retained) var shop: Shop
///     }
///     museum.gallery.show()
///
/// The closure receives the parent and need not capture it, so there is no reference cycle. The compiler checks in the
/// closure that the parent fits the child. The closure names the parent's type, because the compiler cannot infer it from the
/// child's.
///
/// Any number of threads may read the property at once: one child is created, outside of every lock, and the other threads
/// wait for it. A read of the property during the creation of the child traps. The closure runs on the thread that reads the
/// property, with the isolation of the class that declares it. Only a class can have such a property.
///
/// `$gallery.current` is the child or nil, and `$gallery.release()` forgets the child.
@propertyWrapper
public final class ChildScope<Parent: AnyObject, Child: AnyObject> {
    /// The lifetime of a child.
    public enum Lifetime: Sendable {
        /// The child lives while there is a reference other than the parent's. The next read creates a new child.
        case weak
        /// The child lives until its parent ends, or `release()` is called.
        ///
        /// The child must not retain its parent, or both leak: use `unowned let parent`. A retained `ScopeNode` releases its
        /// `parent` itself, but not the properties of a subclass.
        case retained
    }

    let reference: ChildReference<Child>
    private let make: (Parent) -> Child

    /// Creates a wrapper whose children `make` creates. `make` receives the object that has the property.
    public init(
        _ make: @escaping (Parent) -> Child, _ lifetime: Lifetime = .weak, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let location = SourceLocation(fileID: fileID, line: line)
        reference = ChildReference(strength: lifetime == .weak ? .weak : .strong, location: location)
        self.make = make
    }

    /// The accessor of a property with this wrapper. Inlined to eliminate the key paths.
    @_alwaysEmitIntoClient
    public static subscript(
        _enclosingInstance parent: Parent, wrapped wrapped: KeyPath<Parent, Child>,
        storage storage: KeyPath<Parent, ChildScope<Parent, Child>>
    ) -> Child {
        let scope = parent[keyPath: storage]
        return scope.current ?? scope.child(of: parent)
    }

    @usableFromInline
    func child(of parent: Parent) -> Child { reference.child { makeChild(of: parent) } }

    private func makeChild(of parent: Parent) -> Child {
        let child = make(parent)
        if reference.strength == .strong {
            (child as? ScopeNode)?.letGo(of: parent)
            (parent as? ScopeNode)?.retain(reference.cell)
        }
        return child
    }

    @available(*, unavailable, message: "@ChildScope is available on properties of classes only.")
    public var wrappedValue: Child { fatalError() }

    /// The property wrapper, which `$property` returns.
    public var projectedValue: ChildScope<Parent, Child> { self }

    /// The child, or nil. Never creates one, and never waits.
    public var current: Child? { reference.current }

    /// Removes the reference to the child. Other references to it stay valid, and the next read creates a new one.
    public func release() { reference.release() }
}

/// The storage of one child scope. One thread creates the child, and other readers wait only for this thread.
///
/// The storage does not retain its owner: each call passes the closure that creates the child.
struct ChildReference<Child: AnyObject>: Sendable {
    let cell = InstanceCell()
    let strength: InstanceCell.ReferenceStrength
    /// The location of the property in the user's code.
    let location: SourceLocation

    /// The child, or nil. Never creates one.
    var current: Child? { cell.kept.map { InstanceBox.unpack($0) } }

    /// Returns the child. The first caller calls `make`.
    @inline(never)
    func child(make: () -> Child) -> Child {
        do throws(ResolutionError) {
            return InstanceBox.unpack(try cell.object(of: .child(Child.self, in: cell), strength: strength, make: make))
        } catch {
            fatalError(Messages.childNeedsItself(error), file: location.fileID, line: location.line)
        }
    }

    func release() { cell.empty() }
}
