import CResolverSupport

/// Whether a type is a subtype of another, for types known only at run time. Used to write suggestions into messages.
enum Conformance {
    /// Whether `type` is a subclass of the class, or conforms to the protocols, that `other` is.
    static func holds(_ type: Any.Type, to other: Any.Type) -> Bool {
        if let subclass = type as? AnyClass, let ancestor = other as? AnyClass {
            return sequence(first: subclass, next: _getSuperclass).contains { $0 == ancestor }
        }
        guard let protocols = TypeMetadata.protocols(of: other), !protocols.isEmpty else { return false }
        let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return protocols.allSatisfy { swift_conformsToProtocol(type, $0) != nil }
    }
}
