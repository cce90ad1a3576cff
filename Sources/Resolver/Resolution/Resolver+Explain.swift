// What the doors do when there is no service. Never inlined: none of it belongs into the caller's code.

extension Resolver {
    @usableFromInline @inline(never)
    func explain(
        _ error: any Error, _ type: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> ResolutionError {
        let callSite = SourceLocation(fileID: fileID, line: line)
        if let error = error as? ResolutionError { return error.asked(at: callSite) }
        return ResolutionError.scopeFailed(type, name, registration(type, name), error).asked(at: callSite)
    }

    private func registration(_ type: Any.Type, _ name: Name?) -> AnyResolverRegistration? {
        find(ServiceKey(type, name), as: ObjectIdentifier(type))?.takeUnretainedValue()
    }

    @usableFromInline @inline(never)
    func explainNil(
        _ type: Any.Type, _ service: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> ResolutionError {
        let callSite = SourceLocation(fileID: fileID, line: line)
        guard let found = find(ServiceKey(type, name), as: ObjectIdentifier(service)) else {
            return .notRegistered(type, name, asked: self, at: callSite)
        }
        return found._withUnsafeGuaranteedRef {
            ResolutionCycle.current.hasReturnedNil($0)
                ? .factoryReturnedNil($0, at: callSite) : .scopeDeclined($0, at: callSite)
        }
    }

    @usableFromInline @inline(never)
    func trap(
        _ error: any Error, _ type: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> Never {
        fatalError(explain(error, type, name, fileID, line).description, file: fileID, line: line)
    }

    @usableFromInline @inline(never)
    func trapForNil(
        _ type: Any.Type, _ service: Any.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt
    ) -> Never {
        fatalError(explainNil(type, service, name, fileID, line).description, file: fileID, line: line)
    }
}
