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
