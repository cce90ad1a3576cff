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
