extension InstanceCell {
    /// What is kept here, or what `make`, called by the first to ask, makes to be kept: for what is kept outside of scopes.
    ///
    /// - Throws: `.circularDependency` if `make` asks again, be it on another thread that this one waits for.
    func object(
        of subject: ResolutionStep, strength: ReferenceStrength, make: () -> AnyObject
    ) throws(ResolutionError) -> AnyObject {
        let cycle = ResolutionCycle.current
        switch try enter(cycle, subject: subject) {
        case .take(let object), .unfinished(let object):
            return object
        case .create(let maker):
            let object = cycle.making(subject, make)
            _ = finish(maker, with: object, strength: strength)
            return object
        case .uncached, .retired, .wait:
            return make()
        case .reentered:
            throw cycle.makingPath.circle(closedBy: subject)
        }
    }
}
