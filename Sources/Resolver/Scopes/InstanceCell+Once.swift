extension InstanceCell {
    /// Returns the kept instance, or the result of `make`, which is kept. For instances outside of scopes.
    ///
    /// Only the first caller calls `make`.
    ///
    /// - Throws: `.circularDependency` if `make` asks for the instance itself, on this thread or on another one that it waits for.
    func object(
        of subject: ResolutionStep, strength: ReferenceStrength, make: () -> AnyObject
    ) throws(ResolutionError) -> AnyObject {
        let cycle = ResolutionCycle.current
        switch try enter(cycle, subject: subject) {
        case .take(let object), .unfinished(let object):
            return object
        case .create(let claim):
            let object = cycle.making(subject, make)
            _ = finish(claim, with: object, strength: strength)
            return object
        case .uncached, .retired, .wait:
            return make()
        case .reentered:
            throw cycle.makingPath.dependencyCycle(closedBy: subject)
        }
    }
}

// The cell of a lazy property. One thread resolves the service, and other readers wait only for this thread. It is an error if the
// creation reads the property again, also across threads.

extension InstanceCell {
    /// Creates the cell of a property of `type` that was assigned.
    convenience init<Value>(of type: Any.Type, keeping value: Value) {
        self.init()
        _ = try? object(of: .property(type, in: self), strength: .strong) { InstanceBox.pack(value) }
    }

    /// The cell after a setting was changed. Before the first read it is a new one, so the change does not affect copies.
    var withoutCopies: InstanceCell { kept == nil ? InstanceCell() : self }

    /// Returns the value of a property of `type`. The first caller calls `resolve`.
    func value<Value>(ofProperty type: Any.Type, _ callSite: SourceLocation, resolve: () -> Value) -> Value {
        do throws(ResolutionError) {
            let object = try object(of: .property(type, in: self), strength: .strong) { InstanceBox.pack(resolve()) }
            return InstanceBox.unpack(object)
        } catch {
            fatalError(error.asked(at: callSite).description, file: callSite.fileID, line: callSite.line)
        }
    }
}
