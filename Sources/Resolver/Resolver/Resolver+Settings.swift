extension Resolver {
    private struct Settings {
        var defaultScope: ResolverScope = .graph
        var decorate: (@Sendable (Any) -> Void)?
    }

    private static let settings = Guarded(Settings())

    /// The scope of registrations that name none. It is fixed when a registration is made, so change it before the first.
    public static var defaultScope: ResolverScope {
        get { settings.withLock { $0.defaultScope } }
        set { settings.replace(\.defaultScope, by: newValue) }
    }

    /// Called with every service that `resolve` and its kin hand out, whether it was just made or kept. It cannot
    /// replace the service. One for the process; nil by default.
    public static var decorate: (@Sendable (_ service: Any) -> Void)? {
        get { settings.withLock { $0.decorate } }
        set {
            settings.discard { settings in
                let old = settings.decorate
                settings.decorate = newValue
                Attention.set(Attention.decorate, newValue != nil)
                return old
            }
        }
    }

    static func decorateIfAsked(_ service: Any) {
        guard Attention.isSet(Attention.decorate) else { return }
        decorate?(service)
    }
}
