/// A scope with a container of its own, whose services live exactly as long as the scope.
///
///     final class Gallery: ScopeNode {
///         init(parent: any Parent) {
///             super.init(parent: parent)
///             resolver.register { Guide() }.scope(.container)
///         }
///     }
///     let guide: Guide = gallery.resolver.resolve()
///
/// `resolver` finds what is registered on it, else what that of the parent finds, and so on up to the root. So a parent
/// overrides for all below it, a child for itself, and a mock parent for the child that is tested.
///
/// A node holds its parent, and when it ends it lets go of what it keeps before it lets go of the parent: a tree is torn down
/// from the leaves to the root. Afterwards its resolver has no registrations, also for code that still holds it. Factories
/// and kept instances must not hold the node, or it never ends.
///
/// A tree needs no nodes: plain classes with `Weak` and `@ChildScope` will do, and both may stand in one tree. A node is not
/// `Sendable`, as what a subclass adds decides that; what is declared here may be used on any thread.
open class ScopeNode {
    private struct Relatives {
        /// Held. nil for a root, and for a child that its parent holds.
        var parent: ScopeNode?
        /// Weak; each takes itself out when it ends.
        var children = Slab<WeakReference>()
        /// Where children are kept until the end.
        var retained: [InstanceCell] = []
    }

    /// Where the services of this scope are registered and asked for.
    public let resolver: Resolver
    private let givenName: String?
    private let number = ProcessIdentity.next()
    private let parentReference: WeakReference?
    /// Where the parent lists it.
    private var listing: Int?
    private let relatives: Guarded<Relatives>

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - parent: the scope above; nil for a root.
    ///   - fallback: a resolver that is searched when nothing is found in the tree, such as `Resolver.main`. It knows nothing
    ///     of the tree: parts that its factories need are searched from this node.
    ///   - name: what the tree is printed with, if not the name of the class.
    ///   - holdsParent: false for the node of a retained scope that has a node instead of being one.
    public init(
        parent: ScopeNode? = nil, fallback: Resolver? = nil, name: String? = nil, holdsParent: Bool = true,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        resolver = Resolver(child: parent?.resolver, fileID: fileID, line: line)
        if let fallback { resolver.add(child: fallback) }
        givenName = name
        parentReference = parent.map(WeakReference.init)
        relatives = Guarded(Relatives(parent: holdsParent ? parent : nil))
        listing = parent?.relatives.withLock { $0.children.insert(WeakReference(self)) }
    }

    deinit {
        if let listing { parent?.relatives.discard { $0.children.remove(at: listing) } }
        InstanceCell.empty(relatives.withLock { $0.retained })
        resolver.reset(.all)
        var held = relatives.withLock { $0.parent.take().map { [$0] } } ?? []
        ResolutionCycle.current.releaseInTurn(&held)
    }

    /// What the tree is printed with.
    public var name: String { givenName ?? TypeName.short(type(of: self)) }

    /// The scope above. nil for a root, and for a retained child that has outlived its parent.
    public var parent: ScopeNode? { parentReference?.object as? ScopeNode }

    /// Those of its children that are alive, in the order in which they were made.
    public var children: [ScopeNode] {
        // Asked outside the lock: what a weak reference answers may be the last reference.
        relatives.withLock { $0.children.all }.compactMap { $0.object as? ScopeNode }.sorted(by: { Int($0.number) })
    }

    /// How many instances are kept for what is registered on its resolver.
    public var instanceCount: Int {
        resolver.ownCells.flatMap(\.withBranches).count { $0.kept != nil }
    }

    // MARK: Retained children

    /// What is in `cell` is kept until this node ends, and goes before what the node keeps itself.
    func retain(_ cell: InstanceCell) {
        relatives.withLock { relatives in
            if !relatives.retained.contains(where: { $0 === cell }) { relatives.retained.append(cell) }
        }
    }

    /// From now on its parent holds it, and so it does not hold the parent.
    func letGo(of parent: AnyObject) {
        if self.parent === parent { relatives.replace(\.parent, by: nil) }
    }
}
