// Errors of calls that get no service. Never inlined, to keep this code out of the path of all calls.

extension Resolver {
    @inline(never)
    func explainNil(
        _ type: Any.Type, _ service: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> ResolutionError {
        let callSite = SourceLocation(fileID: fileID, line: line)
        let key = ServiceKey(type, as: service, name)
        guard let result = ResolutionCycle.current.takeNilResult(key) else {
            guard let hidden = ScopeContext.shared.hiddenLocal(key) else {
                return .notRegistered(type, as: service, name, asked: self, at: callSite)
            }
            return .hidden(
                type, name, in: hidden.scope, hidden.registration.hop,
                from: hidden.consumer.hop, at: callSite)
        }
        return .ofNil(result, at: callSite)
    }

    @inline(never)
    func trap(_ error: any Error, _ fileID: StaticString, _ line: UInt) -> Never {
        Resolver.end(.ofCall(error, fileID, line), fileID, line)
    }

    /// Reports the error to the running test, and traps.
    @inline(never)
    static func end(_ error: ResolutionError, _ fileID: StaticString, _ line: UInt) -> Never {
        World.current?.test?.report?(error)
        fatalError(error.description, file: fileID, line: line)
    }
}

/// Suggestions for a call of an unregistered service: at most three of each kind, in a fixed order.
///
/// Computed only when the message is read.
struct Suggestions {
    private static let most = 3

    let type: Any.Type
    /// The type of the service at the call site. It differs from `type` where a runtime type is passed.
    let service: Any.Type
    let name: Resolver.Name?
    let resolver: Resolver

    var lines: [String] {
        let found = resolver.searched.flatMap(\.table.all)
        if found.isEmpty { return [Messages.isEmpty(resolver.owner.label)] + elsewhere }
        var related = Relation.allCases.map { _ in [AnyResolverRegistration]() }
        var known: [ObjectIdentifier: Relation?] = [:]
        for registration in found {
            let key = registration.serviceKey
            let relation = (key.isOfOwnType ? known[key.service] : nil) ?? relation(of: registration)
            if key.isOfOwnType { known[key.service] = .some(relation) }
            if let relation { related[relation.rawValue].append(registration) }
        }
        let wanted = name.map { Array($0.rawValue.unicodeScalars) }
        let sameType = nearest(related[Relation.same.rawValue]) { registration, most in
            guard let wanted else { return 0 }
            let found = Array((registration.serviceKey.name?.rawValue ?? "").unicodeScalars)
            return EditDistance.between(wanted, found, atMost: most)
        }
        let kinds: [[Relation]] = [[.byOwnType], [.wrapped, .optional], [.conforming, .ancestor], [.similar]]
        let others = kinds.flatMap { relations in
            nearest(relations.flatMap { related[$0.rawValue] }) { registration, _ in
                registration.serviceKey.name == name ? 0 : 1
            }
        }
        return (sameType + others).map(line) + elsewhere
    }

    /// The relation of a registered type to the requested one.
    private enum Relation: Int, CaseIterable {
        case same
        /// The type itself is registered, and the call passes it as a runtime type.
        case byOwnType
        /// The registered type is wrapped by the requested Optional.
        case wrapped
        /// The registered type is an Optional of the requested type.
        case optional
        /// The registered type conforms to the requested one, or is a subclass of it.
        case conforming
        /// The requested type conforms to the registered one, or is a subclass of it.
        case ancestor
        /// A type with the same or a similar simple name.
        case similar
    }

    private func relation(of registration: AnyResolverRegistration) -> Relation? {
        let (key, found) = (registration.serviceKey, registration.serviceType)
        if key.type == ObjectIdentifier(type), key.service == ObjectIdentifier(service) { return .same }
        // Only a call with the same two types finds a registration for a runtime type.
        if !key.isOfOwnType { return nil }
        if found == type { return .byOwnType }
        if (type as? any AnyOptional.Type)?.wrapped == found { return .wrapped }
        if (found as? any AnyOptional.Type)?.wrapped == type { return .optional }
        if Conformance.holds(found, to: type) { return .conforming }
        if Conformance.holds(type, to: found) { return .ancestor }
        let wanted = Suggestions.compared(type), other = Suggestions.compared(found)
        return EditDistance.between(wanted, other, atMost: max(1, wanted.count / 4)) == nil ? nil : .similar
    }

    /// Returns the characters by which two names are compared. In Swift 6 mode, the name of a function is `@Sendable`.
    private static func compared(_ type: Any.Type) -> [Unicode.Scalar] {
        let name = TypeName.short(type), prefix = "@Sendable "
        return Array((name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : name[...]).unicodeScalars)
    }

    /// Returns the nearest registrations, ordered by distance and then by source location.
    ///
    /// - Parameter distance: returns nil if the distance is greater than `most`.
    private func nearest(
        _ registrations: [AnyResolverRegistration],
        _ distance: (AnyResolverRegistration, _ most: Int) -> Int?
    ) -> [AnyResolverRegistration] {
        var best: [(distance: Int, registration: AnyResolverRegistration)] = []
        for registration in registrations {
            let most = best.count < Suggestions.most ? Int.max : best[best.count - 1].distance
            guard let distance = distance(registration, most) else { continue }
            let index =
                best.firstIndex {
                    distance < $0.distance
                        || distance == $0.distance && registration.isRegisteredBefore($0.registration)
                } ?? best.count
            guard index < Suggestions.most else { continue }
            best.insert((distance, registration), at: index)
            if best.count > Suggestions.most { best.removeLast() }
        }
        return best.map(\.registration)
    }

    private func line(_ registration: AnyResolverRegistration) -> String {
        let hop = registration.hop
        return switch relation(of: registration) {
        case .byOwnType: Messages.registeredByOwnType(hop, askedAs: TypeName.qualified(service))
        case .same: hop.name == nil ? Messages.registeredWithoutName(hop) : Messages.registeredUnderName(hop)
        case .wrapped: Messages.registeredUnwrapped(hop)
        case .optional: Messages.registeredAsOptional(hop)
        case .conforming: Messages.conformingService(hop, to: TypeName.qualified(type))
        case .ancestor: Messages.registeredAsProtocol(hop)
        case .similar, nil: Messages.similarName(hop)
        }
    }

    private var elsewhere: [String] {
        let key = ServiceKey(type, as: service, name)
        let searched = Set(resolver.searched.map { ObjectIdentifier($0.owner) })
        let found = LiveResolvers.shared.all.compactMap { entry -> String? in
            // A test suggests no registrations of other tests.
            guard entry.owner.test == 0 || entry.owner.test == World.testNumber,
                !searched.contains(ObjectIdentifier(entry.owner)), let other = entry.table.find(key)
            else { return nil }
            return other.use {
                Messages.registeredElsewhere($0.hop, in: entry.owner.label)
            }
        }
        return Array(found.sorted(byText: \.self).prefix(Suggestions.most))
    }
}

extension AnyResolverRegistration {
    /// Whether the registration comes before `other`, by the text of its location and then by age.
    fileprivate func isRegisteredBefore(_ other: AnyResolverRegistration) -> Bool {
        // Many registrations may come from one line. The text of the line is not formatted for each.
        if location.isIdentical(to: other.location) { return number < other.number }
        return ("\(location)", number) < ("\(other.location)", other.number)
    }
}

extension ResolutionError {
    @inline(never)
    static func notRegistered(
        _ type: Any.Type, as service: Any.Type, _ name: Resolver.Name?, asked resolver: Resolver,
        at callSite: SourceLocation
    ) -> ResolutionError {
        let missing = hop(type, name)
        return ResolutionError(
            .notRegistered, headline: Messages.notRegistered(type, name, missing), subject: missing,
            path: ResolutionCycle.current.path() + [missing], callSite: callSite,
            suggest: { Suggestions(type: type, service: service, name: name, resolver: resolver).lines })
    }
}
