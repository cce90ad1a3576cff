/// A scope with its own container, whose services live exactly as long as the scope.
///
///     final class Gallery: ScopeNode {
///         init(parent: any Parent) {
///             super.init(parent: parent)
///             resolver.register { Guide() }.scope(.container)
///         }
///     }
///     let guide: Guide = gallery.resolver.resolve()
///
/// `resolver` searches its own registrations first, then those of the parent, and so on up to the root. A parent thus overrides
/// services for all scopes below it, and a child for itself. In a test, a mock parent overrides them for a child.
///
/// A node retains its parent. When the node is deallocated, it releases its instances and then the parent, so a tree is
/// released from the leaves to the root. Afterwards, the node's resolver has no registrations, even for code that still holds
/// the resolver. Factories and kept instances must not retain the node, or it leaks.
///
/// A tree needs no nodes: plain classes with `Weak` and `@ChildScope` suffice, and one tree may have both. A node is not
/// `Sendable`, because a subclass may not be. The members declared here may be used on any thread.
open class ScopeNode {
    private struct Relatives {
        /// Retained. nil for a root, and for a child that its parent retains.
        var parent: ScopeNode?
        /// Weak. Each child removes itself when it ends.
        var children = Slab<WeakReference>()
        /// The cells that keep retained children until the end.
        var retained: [InstanceCell] = []
    }

    /// The resolver for the services of this scope.
    public let resolver: Resolver
    private let givenName: String?
    private let number = ProcessIdentity.next()
    private let parentReference: WeakReference?
    /// The index in the parent's list of children.
    private var listing: Int?
    private let relatives: Guarded<Relatives>

    /// Creates a scope of a tree, with a resolver of its own, below a parent.
    ///
    /// - Parameters:
    ///   - parent: the scope above; nil for a root.
    ///   - fallback: a resolver that is searched when the tree has no registration, such as `Resolver.main`. It does not search
    ///     the tree, but its factories get this node's resolver for their dependencies.
    ///   - name: the name in `treeDescription`; nil for the name of the class.
    ///   - holdsParent: whether the node retains its parent. Pass false if a retained child scope is not a node itself but has
    ///     this node as a property.
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
        let cells = relatives.withLock { $0.retained }
        InstanceCell.empty(cells)
        // A hook may register again.
        for _ in 0..<ReleaseHooks.mostRounds {
            resolver.reset(.all)
            if resolver.table.all.isEmpty { break }
        }
        var held = relatives.withLock { $0.parent.take().map { [$0] } } ?? []
        ResolutionCycle.current.releaseInTurn(&held)
    }

    /// The name in `treeDescription`.
    public var name: String { givenName ?? TypeName.short(type(of: self)) }

    /// The parent of this scope; nil for a root, and for a retained child that has outlived its parent.
    public var parent: ScopeNode? { parentReference?.object as? ScopeNode }

    fileprivate var hasOutlivedParent: Bool { parentReference != nil && parent == nil }

    /// The live children, in the order of their creation.
    public var children: [ScopeNode] {
        // The references are loaded outside the lock, because a weak reference may return the last strong one.
        relatives.withLock { $0.children.all }.compactMap { $0.object as? ScopeNode }.sorted(by: { Int($0.number) })
    }

    /// The number of instances that are kept for the registrations of `resolver`.
    public var instanceCount: Int { resolver.table.ownCells.flatMap(\.withBranches).count { $0.kept != nil } }

    // MARK: Retained children

    /// Keeps the child in `cell` until this node ends, and releases it before the node's own instances.
    func retain(_ cell: InstanceCell) {
        relatives.withLock { relatives in
            if !relatives.retained.contains(where: { $0 === cell }) { relatives.retained.append(cell) }
        }
    }

    /// Releases the parent, which retains this node from now on.
    func letGo(of parent: AnyObject) { if self.parent === parent { relatives.replace(\.parent, by: nil) } }
}

extension ScopeNode {
    /// The services of this scope and the nodes that provide them: a line for each service, the nearest first.
    ///
    ///     Shop.Ticket from Booth, kept
    ///     Shop.Guide from Hall
    ///
    /// A service of a node above is not listed if a nearer node provides it. `kept` marks services that have an instance now;
    /// singletons belong to no node, and an alias keeps no instance. Services of the fallback are not listed.
    public var dependencyReport: String {
        var seen: Set<String> = []
        let lines = sequence(first: self, next: \.parent).flatMap { node in
            node.resolver.table.all.map { registration in
                let isKept = registration.cellsOfOwnResolver(includingShared: false).flatMap(\.withBranches)
                    .contains { $0.kept != nil }
                let service = registration.hop.description
                return (service: service, line: "\(service) from \(node.name)\(isKept ? ", kept" : "")")
            }
            .sorted(byText: \.service)
        }
        return lines.filter { seen.insert($0.service).inserted }.map(\.line).joined(separator: "\n")
    }
}

extension ScopeNode {
    /// The tree below this node: a line for each scope, indented by depth.
    ///
    ///     Museum, live, 2 instances
    ///       gallery: Gallery, live, 1 instance
    ///         row: PictureRow, live
    ///       shop: Shop, idle
    ///
    /// Lists live nodes, and the `Weak` and `@ChildScope` properties of nodes and plain scopes. Such a property is idle while it
    /// has no child. Creates no child. It reads the stored properties, so call it where that is safe. It does not read those of a retained
    /// node whose parent has ended, because an `unowned` one may refer to the parent.
    public var treeDescription: String { ScopeNode.treeDescription(of: self) }

    /// Returns the tree below a scope of any class.
    public static func treeDescription(of scope: AnyObject) -> String {
        TreeDescription(of: scope).lines.joined(separator: "\n")
    }
}

private struct TreeDescription {
    private(set) var lines: [String] = []
    /// Retained until the end, because the address of a released object may be reused.
    private var seen: [ObjectIdentifier: AnyObject] = [:]

    /// A scope that is not described yet, or the type of an idle one.
    private struct Branch {
        let label: String
        let scope: AnyObject?
        var idle: Any.Type?
        let depth: Int
    }

    // A tree may be deeper than the stack.
    init(of root: AnyObject) {
        var open = [Branch(label: "", scope: root, depth: 0)]
        while let branch = open.popLast() {
            guard let scope = branch.scope else {
                if let type = branch.idle { add("\(branch.label)\(TypeName.short(type)), idle", branch.depth) }
                continue
            }
            guard seen.updateValue(scope, forKey: ObjectIdentifier(scope)) == nil else { continue }
            let node = scope as? ScopeNode
            let count = node.map { ", \($0.instanceCount) instance\($0.instanceCount == 1 ? "" : "s")" } ?? ""
            add("\(branch.label)\(node?.name ?? TypeName.short(type(of: scope))), live\(count)", branch.depth)
            let depth = branch.depth + 1
            let references = TreeDescription.references(of: scope).map { label, reference in
                Branch(label: label, scope: reference.child, idle: type(of: reference).childType, depth: depth)
            }
            let children = (node?.children ?? []).map { Branch(label: "", scope: $0, depth: depth) }
            open += (references + children).reversed()
        }
    }

    private mutating func add(_ line: String, _ depth: Int) {
        lines.append(String(repeating: "  ", count: depth) + line)
    }

    /// Returns the references to children among the properties of an object, those of its superclass first.
    private static func references(of scope: AnyObject) -> [(label: String, reference: any DescribedReference)] {
        if let node = scope as? ScopeNode, node.hasOutlivedParent { return [] }
        let mirrors = sequence(first: Mirror(reflecting: scope), next: \.superclassMirror)
        return mirrors.reversed().flatMap(\.children).compactMap { child in
            (child.value as? any DescribedReference).map { (child.label.map(label) ?? "", $0) }
        }
    }

    /// Returns the name of the property, without the prefixes that the compiler adds for lazy and wrapped properties.
    private static func label(_ storage: String) -> String {
        let name = storage.split(separator: "$").last ?? ""
        return "\(name.drop { $0 == "_" }): "
    }
}

/// A reference to a child of any type.
private protocol DescribedReference {
    static var childType: Any.Type { get }
    var child: AnyObject? { get }
}

extension Weak: DescribedReference {
    fileprivate static var childType: Any.Type { T.self }
    fileprivate var child: AnyObject? { current }
}

extension ChildScope: DescribedReference {
    fileprivate static var childType: Any.Type { Child.self }
    fileprivate var child: AnyObject? { current }
}

/// A lazy property that has not been read yet.
extension Optional: DescribedReference where Wrapped: DescribedReference {
    fileprivate static var childType: Any.Type { Wrapped.childType }
    fileprivate var child: AnyObject? { self?.child }
}
