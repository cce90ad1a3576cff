import Foundation
import Resolver

/// Keeps the instances of the services that were asked for last.
///
/// The cache makes each of them exactly once and keeps it; the row below only says which ones have to go. A service is
/// put into the row after the cache has it, and taken out before the cache loses it: so none is kept that is not in it.
final class LastUsedScope: ResolverScopeType, @unchecked Sendable {
    private let cache = ResolverScopeCache()
    private let limit: Int
    private let lock = NSLock()
    /// The one that was asked for last is the last. Guarded by the lock.
    private var recent: [AnyResolverRegistration] = []

    init(_ limit: Int) { self.limit = limit }

    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
        let found = cache.resolve(registration: registration, resolver: resolver, args: args)
        guard let found else { return nil }
        let oldest = lock.withLock {
            recent = recent.filter { $0 !== registration } + [registration]
            return recent.count > limit ? recent.removeFirst() : nil
        }
        if let oldest { cache.release(oldest) }
        return found
    }

    func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        cache.existing(registration: registration, resolver: resolver)
    }

    func release(_ registration: AnyResolverRegistration) {
        lock.withLock { recent.removeAll { $0 === registration } }
        cache.release(registration)
    }

    func reset() {
        lock.withLock { recent = [] }
        cache.reset()
    }
}
