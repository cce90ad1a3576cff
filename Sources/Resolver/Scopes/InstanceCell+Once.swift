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
