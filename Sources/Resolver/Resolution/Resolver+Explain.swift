// What the doors do when there is no service. Never inlined: it is not to lie between what every call does.

extension Resolver {
    @inline(never)
    func explain(
        _ error: any Error, _ type: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> ResolutionError {
        let callSite = SourceLocation(fileID: fileID, line: line)
        if let error = error as? ResolutionError { return error.asked(at: callSite) }
        let registration = findSeen(ServiceKey(type, name), as: ObjectIdentifier(type))
        return ResolutionError.scopeFailed(type, name, registration, error).asked(at: callSite)
    }

    @inline(never)
    func explainNil(
        _ type: Any.Type, _ service: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> ResolutionError {
        let callSite = SourceLocation(fileID: fileID, line: line)
        let key = ServiceKey(type, name)
        guard let result = ResolutionCycle.current.takeNilResult(key, as: ObjectIdentifier(service)) else {
            guard let hidden = ScopeContext.shared.hiddenLocal(key, as: ObjectIdentifier(service)) else {
                return .notRegistered(type, name, asked: self, at: callSite)
            }
            return .hidden(
                type, name, in: hidden.scope, ResolutionStep.registration(hidden.registration).hop,
                from: hidden.consumer.hop, at: callSite)
        }
        return result.isFromFactory ? .factoryReturnedNil(result, at: callSite) : .scopeDeclined(result, at: callSite)
    }

    @inline(never)
    func trap(
        _ error: any Error, _ type: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> Never {
        end(explain(error, type, name, fileID, line), fileID, line)
    }

    @inline(never)
    func trapForNil(
        _ type: Any.Type, _ service: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> Never {
        end(explainNil(type, service, name, fileID, line), fileID, line)
    }

    private func end(_ error: ResolutionError, _ fileID: StaticString, _ line: UInt) -> Never {
        Surroundings.current?.test?.report?(error)
        fatalError(error.description, file: fileID, line: line)
    }
}
