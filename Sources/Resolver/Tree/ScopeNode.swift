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

extension ScopeNode {
    /// What the tree has for this scope, and who provides it: a line for each service, the nearest first.
    ///
    ///     Shop.Ticket from Booth, kept
    ///     Shop.Guide from Hall
    ///
    /// What a node above has too, but does not provide because a nearer one does, is not listed. `kept` is what has an instance
    /// now; singletons belong to no node, and what `.implements` has registered keeps none of its own. What only the fallback has
    /// is not of the tree.
    public var dependencyReport: String {
        var seen: Set<String> = []
        let lines = sequence(first: self, next: \.parent).flatMap { node in
            node.resolver.table.all.map { registration in
                let isKept = registration.cellsAtHome(includingShared: false).flatMap(\.withBranches)
                    .contains { $0.kept != nil }
                let service = ResolutionStep.registration(registration).hop.description
                return (service: service, line: "\(service) from \(node.name)\(isKept ? ", kept" : "")")
            }
            .sorted { $0.service < $1.service }
        }
        return lines.filter { seen.insert($0.service).inserted }.map(\.line).joined(separator: "\n")
    }
}

extension ScopeNode {
    /// The tree from here down: a line for each scope, those below it indented.
    ///
    ///     Museum, live, 2 instances
    ///       gallery: Gallery, live, 1 instance
    ///         row: PictureRow, live
    ///       shop: Shop, idle
    ///
    /// Lists nodes that are alive, and what the properties of nodes and of plain scopes have: a `Weak` or `@ChildScope` is
    /// idle while there is no child in it. Makes none. It looks through the stored properties, so call it where these may be
    /// read.
    public var treeDescription: String { ScopeNode.treeDescription(of: self) }

    /// Describes a scope of any class.
    public static func treeDescription(of scope: AnyObject) -> String {
        var description = TreeDescription()
        description.add(scope, label: "", depth: 0)
        return description.lines.joined(separator: "\n")
    }
}

private struct TreeDescription {
    private(set) var lines: [String] = []
    /// Held until the end, as an address tells nothing about an object that has gone.
    private var seen: [ObjectIdentifier: AnyObject] = [:]

    init() {}

    mutating func add(_ scope: AnyObject, label: String, depth: Int) {
        guard seen.updateValue(scope, forKey: ObjectIdentifier(scope)) == nil else { return }
        let node = scope as? ScopeNode
        let count = node.map { ", \($0.instanceCount) instance\($0.instanceCount == 1 ? "" : "s")" } ?? ""
        add("\(label)\(node?.name ?? TypeName.short(type(of: scope))), live\(count)", depth)
        for (label, slot) in TreeDescription.slots(of: scope) {
            if let child = slot.child {
                add(child, label: label, depth: depth + 1)
            } else {
                add("\(label)\(TypeName.short(type(of: slot).childType)), idle", depth + 1)
            }
        }
        for child in node?.children ?? [] { add(child, label: "", depth: depth + 1) }
    }

    private mutating func add(_ line: String, _ depth: Int) {
        lines.append(String(repeating: "  ", count: depth) + line)
    }

    /// The slots among the properties of an object, those of its superclass first.
    private static func slots(of scope: AnyObject) -> [(label: String, slot: any DescribedSlot)] {
        let mirrors = sequence(first: Mirror(reflecting: scope), next: \.superclassMirror)
        return mirrors.reversed().flatMap(\.children).compactMap { child in
            (child.value as? any DescribedSlot).map { (child.label.map(label) ?? "", $0) }
        }
    }

    /// The property as it was written: how the compiler calls the storage of lazy and of wrapped ones is no secret.
    private static func label(_ storage: String) -> String {
        let name = storage.split(separator: "$").last ?? ""
        return "\(name.drop { $0 == "_" }): "
    }
}

/// A slot, where what it has is not of interest.
private protocol DescribedSlot {
    static var childType: Any.Type { get }
    var child: AnyObject? { get }
}

extension Weak: DescribedSlot {
    fileprivate static var childType: Any.Type { T.self }
    fileprivate var child: AnyObject? { current }
}

extension ChildScope: DescribedSlot {
    fileprivate static var childType: Any.Type { Child.self }
    fileprivate var child: AnyObject? { current }
}

/// A lazy property that has not been read yet.
extension Optional: DescribedSlot where Wrapped: DescribedSlot {
    fileprivate static var childType: Any.Type { Wrapped.childType }
    fileprivate var child: AnyObject? { self?.child }
}
