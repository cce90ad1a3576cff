/// Something that is under construction and that a path can lead through.
enum PathElement: Sendable {
    case registration(AnyResolverRegistration)
    /// A lazily resolved property of this type.
    case property(Any.Type)
    /// A child scope of this type.
    case child(Any.Type)
    /// `registerAllServices`, which threads wait for as for an instance.
    case bootstrap

    var hop: ResolutionError.Hop {
        switch self {
        case .registration(let registration):
            ResolutionError.Hop(
                service: TypeName.qualified(registration.serviceType), name: registration.serviceKey.name?.rawValue,
                location: registration.location)
        case .property(let type):
            ResolutionError.Hop(service: Messages.lazyProperty(of: TypeName.qualified(type)), name: nil, location: nil)
        case .child(let type):
            ResolutionError.Hop(service: Messages.childScope(of: TypeName.qualified(type)), name: nil, location: nil)
        case .bootstrap:
            ResolutionError.Hop(service: Messages.bootstrap, name: nil, location: nil)
        }
    }
}
