/// What a call for something unregistered may have meant: at most three of each kind, in a fixed order. Runs only when somebody
/// reads it.
struct Suggestions {
    private static let most = 3

    let type: Any.Type
    let name: Resolver.Name?
    let resolver: Resolver

    var lines: [String] {
        let found = resolver.searched.flatMap(\.table.all)
            .map { (place: "\($0.location)", registration: $0) }
            .sorted { ($0.place, $0.registration.number) < ($1.place, $1.registration.number) }
            .map(\.registration)
        if found.isEmpty { return [Messages.isEmpty(resolver.label)] + elsewhere }
        let sameType = found.filter { $0.serviceType == type }
        let others = found.filter { $0.serviceType != type }
        return first(nearest(sameType), Messages.underAnotherName) + first(others, optionals) + first(others, relatives)
            + first(others, similar) + elsewhere
    }

    /// Those whose names look most like the one that was asked for come first.
    private func nearest(_ registrations: [AnyResolverRegistration]) -> [AnyResolverRegistration] {
        guard let name else { return registrations }
        let distances = registrations.map { registration in
            EditDistance.between(name.rawValue, registration.serviceKey.name?.rawValue ?? "", atMost: .max) ?? .max
        }
        return registrations.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.map { registrations[$0] }
    }

    private func first(
        _ registrations: [AnyResolverRegistration], _ line: (AnyResolverRegistration) -> String?
    ) -> [String] {
        Array(registrations.lazy.compactMap(line).prefix(Suggestions.most))
    }

    private func optionals(_ registration: AnyResolverRegistration) -> String? {
        let hop = PathElement.registration(registration).hop
        if (type as? any OptionalType.Type)?.wrapped == registration.serviceType {
            return Messages.registeredUnwrapped(hop)
        }
        if (registration.serviceType as? any OptionalType.Type)?.wrapped == type {
            return Messages.registeredAsOptional(hop)
        }
        return nil
    }

    private func relatives(_ registration: AnyResolverRegistration) -> String? {
        let hop = PathElement.registration(registration).hop
        if Conformance.holds(registration.serviceType, to: type) {
            return Messages.conformingService(hop, to: TypeName.qualified(type))
        }
        if Conformance.holds(type, to: registration.serviceType) { return Messages.registeredAsProtocol(hop) }
        return nil
    }

    /// Another module's type of the same simple name, or one that is a slip of the pen away.
    private func similar(_ registration: AnyResolverRegistration) -> String? {
        let wanted = TypeName.short(type), found = TypeName.short(registration.serviceType)
        guard optionals(registration) == nil, relatives(registration) == nil,
            EditDistance.between(wanted, found, atMost: max(1, wanted.count / 4)) != nil
        else { return nil }
        return Messages.similarName(PathElement.registration(registration).hop)
    }

    private var elsewhere: [String] {
        let key = ServiceKey(type, name)
        let searched = resolver.searched.map { ObjectIdentifier($0.home) }
        let found = ResolverDirectory.shared.all.compactMap { entry -> String? in
            // Nobody has to know of other tests.
            guard entry.home.test == 0 || entry.home.test == Surroundings.testNumber,
                !searched.contains(ObjectIdentifier(entry.home)), let other = entry.table.find(key)
            else { return nil }
            return other._withUnsafeGuaranteedRef {
                Messages.registeredElsewhere(PathElement.registration($0).hop, in: entry.home.label)
            }
        }
        return Array(found.sorted().prefix(Suggestions.most))
    }
}

/// Lets a metatype tell whether it is an Optional's, and of what.
private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension Messages {
    fileprivate static func underAnotherName(_ registration: AnyResolverRegistration) -> String {
        let hop = PathElement.registration(registration).hop
        return hop.name == nil ? registeredWithoutName(hop) : registeredUnderName(hop)
    }
}
