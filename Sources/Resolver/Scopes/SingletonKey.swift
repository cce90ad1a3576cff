/// A `register` call as it stands in the source: what a singleton belongs to.
struct SingletonKey: Hashable {
    let key: ServiceKey
    /// A runtime type may be registered by several factories.
    let service: ObjectIdentifier
    let location: SourceLocation
    /// The test in which its resolver was made: a singleton does not leave it.
    let test: UInt64

    init(_ registration: AnyResolverRegistration) {
        key = registration.serviceKey
        service = registration.service
        location = registration.location
        test = registration.owner.test
    }
}
