/// Something that is under construction and that a path can lead through.
enum ResolutionStep: Sendable {
    case registration(AnyResolverRegistration)
    /// A lazily resolved property of this type.
    case property(Any.Type, in: InstanceCell)
    /// A child scope of this type.
    case child(Any.Type, in: InstanceCell)
    /// `registerAllServices`, which threads wait for as for an instance.
    case bootstrap

    var registration: AnyResolverRegistration? {
        if case .registration(let registration) = self { registration } else { nil }
    }

    /// Whether the same thing is made.
    func isSame(as other: ResolutionStep) -> Bool {
        switch (self, other) {
        case (.registration(let one), .registration(let other)): one === other
        case (.property(_, let one), .property(_, let other)), (.child(_, let one), .child(_, let other)): one === other
        default: false
        }
    }

    var hop: ResolutionError.Hop {
        switch self {
        case .registration(let registration):
            ResolutionError.Hop(
                service: TypeName.qualified(registration.serviceType), name: registration.serviceKey.name?.rawValue,
                location: registration.location)
        case .property(let type, _):
            ResolutionError.Hop(service: Messages.lazyProperty(of: TypeName.qualified(type)), name: nil, location: nil)
        case .child(let type, _):
            ResolutionError.Hop(service: Messages.childScope(of: TypeName.qualified(type)), name: nil, location: nil)
        case .bootstrap:
            ResolutionError.Hop(service: Messages.bootstrap, name: nil, location: nil)
        }
    }
}
