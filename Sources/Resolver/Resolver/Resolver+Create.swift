// For tools, which know services by their registrations and not by their types.

/// A service that was created for no caller.
package struct CreatedService: Sendable {
    /// The type of the instance.
    package let type: Any.Type
    /// The instance, if it is an object. It says something only while a scope keeps the instance.
    package let object: ObjectIdentifier?
}

extension Resolver {
    /// Creates a service, whatever it takes, as `resolveAsync` does; and lets go of it unless a scope keeps it.
    ///
    /// - Throws: what `resolveAsync` does.
    package nonisolated(nonsending) func create(
        _ service: RegisteredService, args: (any Sendable)?
    ) async throws -> CreatedService {
        let place = service.location
        let made = try await awaitingPendingWork {
            guard let found = self.findSeen(service.key, as: ObjectIdentifier(service.type)) else {
                throw ResolutionError.notRegistered(service.type, service.name, asked: self, at: place)
            }
            return try found.withMemory { memory in
                do {
                    let isThere = try PassedArguments.with(args) {
                        try self.provideInFull(
                            service.type, as: service.type, service.name, $0, place.fileID, place.line, into: memory)
                    }
                    if isThere {
                        return InstanceBox(
                            CreatedService(
                                type: Swift.type(of: found.value(memory)),
                                object: found.isObject(memory) ? ObjectIdentifier(found.object(memory)) : nil))
                    }
                } catch {
                    throw self.explain(error, service.type, service.name, place.fileID, place.line)
                }
                throw self.explainNil(service.type, service.type, service.name, place.fileID, place.line)
            }
        }
        return InstanceBox<CreatedService>.unpack(made!)
    }
}
