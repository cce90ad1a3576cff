/// A scope in the list of open scopes.
///
/// It is read under the lock of the list, where no last reference to a scope may be released: a `handle` leaves the lock.
enum ListedScope: Sendable {
    case strong(ScopeHandle)
    /// A scope that ends with the last reference to it.
    case weak(WeakScope)

    final class WeakScope: Sendable {
        fileprivate let kind: ScopeKind
        fileprivate let id: String
        fileprivate let owner: RegistrationOwner
        fileprivate let reference: WeakReference

        fileprivate init(_ handle: ScopeHandle) {
            (kind, id, owner, reference) = (handle.kind, handle.id, handle.owner, WeakReference(handle))
        }
    }

    init(_ handle: ScopeHandle) {
        self = handle.isHeldByUser ? .weak(WeakScope(handle)) : .strong(handle)
    }

    /// The scope; nil while it is being deallocated.
    var handle: ScopeHandle? {
        switch self {
        case .strong(let handle): handle
        case .weak(let scope): scope.reference.object as? ScopeHandle
        }
    }

    var owner: RegistrationOwner {
        switch self {
        case .strong(let handle): handle.owner
        case .weak(let scope): scope.owner
        }
    }

    func isNamed(_ kind: ScopeKind, _ id: String) -> Bool {
        switch self {
        case .strong(let handle): handle.kind == kind && handle.id == id
        case .weak(let scope): scope.kind == kind && scope.id == id
        }
    }
}
