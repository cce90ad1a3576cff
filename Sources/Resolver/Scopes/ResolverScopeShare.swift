/// Keeps an object weakly: as long as another reference holds it. Values are never shared, as a value cannot be held weakly.
public final class ResolverScopeShare: ResolverScope, @unchecked Sendable {
    let store = InstanceStore(strength: .weak)

    public override init() {}

    deinit {
        store.end()
    }

    override var described: Lifetime { .cached(Unretained(store)) }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        store.existing(of: registration, resolver).map(ResolverRegistration<Service>.unpack)
    }

    /// Forgets the object of one registration.
    public override func release(_ registration: AnyResolverRegistration) {
        store.empty(registration)
    }

    /// Forgets every object: the next call makes a new one, even where the old one is still held.
    public override func reset() {
        store.reset()
    }
}
