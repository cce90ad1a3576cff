/// The scopes that have begun and not ended. Part of a state behind a lock, under which no last reference to a scope may be released.
struct OpenScopes {
    var list = SlabByTest<ListedScope>()
    /// The number of scopes of each kind and id, in all tests. Counted only while there is an observer, which gets an event for a scope
    /// with the id of another.
    private var counts: [ScopeEvent.Scope: Int]?

    /// Lists a scope at an index that was reserved.
    ///
    /// - Returns: the number of scopes with its kind and id; 0 without an observer.
    mutating func put(_ scope: ListedScope, at index: Int, isObserved: Bool) -> Int {
        list.put(scope, at: index, in: scope.owner.test)
        if !isObserved {
            if counts != nil { counts = nil }
            return 0
        }
        return count(scope)
    }

    @inline(never)
    private mutating func count(_ scope: ListedScope) -> Int {
        if counts == nil {
            counts = list.all().reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
        } else {
            counts?[scope.key, default: 0] += 1
        }
        return counts?[scope.key] ?? 0
    }

    @inline(never)
    private mutating func uncount(_ scope: ListedScope) {
        let key = scope.key
        if let count = counts?[key] { counts?[key] = count > 1 ? count - 1 : nil }
    }

    /// Removes the scope at an index of a test, or of the process.
    ///
    /// - Returns: the scope. The caller releases it outside the lock.
    mutating func remove(at index: Int, in test: UInt64) -> ListedScope? {
        let removed = list.remove(at: index, in: test)
        if counts != nil, let removed { uncount(removed) }
        return removed
    }
}

/// A scope in the list of open scopes.
///
/// It is read under the lock of the list, where no last reference to a scope may be released: the caller releases a `handle` outside.
enum ListedScope: Sendable {
    case strong(ScopeHandle)
    /// A scope that ends with the last reference to it.
    case weak(WeakScope)

    final class WeakScope: Sendable {
        fileprivate let key: ScopeEvent.Scope
        fileprivate let owner: RegistrationOwner
        fileprivate let reference: WeakReference

        fileprivate init(_ handle: ScopeHandle) {
            (key, owner, reference) = (handle.description, handle.owner, WeakReference(handle))
        }
    }

    init(_ handle: ScopeHandle) { self = handle.isHeldByUser ? .weak(WeakScope(handle)) : .strong(handle) }

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

    var key: ScopeEvent.Scope {
        switch self {
        case .strong(let handle): handle.description
        case .weak(let scope): scope.key
        }
    }
}
