/// A service was asked for in a test.
package struct Resolution: Sendable {
    /// The type that was asked for.
    package let type: Any.Type
    package let name: Resolver.Name?
    /// Where it was asked for.
    package let callSite: SourceLocation
    /// Where what was found is registered; nil if nothing was.
    package let registered: SourceLocation?
    /// Whether the test, or one of its suites, has registered it.
    package let isOfTest: Bool

    /// What a test is told that may use nothing else.
    package var complaint: String? {
        guard !isOfTest, let registered else { return nil }
        return Messages.notOfTest(type, name, registered: registered)
    }
}

extension ResolutionCycle {
    /// Tells the test in which something is asked for. Once, however many passes a task makes.
    func tell(
        _ type: Any.Type, _ name: Resolver.Name?, _ found: AnyResolverRegistration?, askedAt callSite: SourceLocation
    ) {
        guard let test = Surroundings.current?.test, let watch = test.watch, !test.hasEnded else { return }
        // What the pass is for; its parts are asked for in the pass that makes it.
        if let pass = state.pointee.pass, !pass.isFirst, pass.target == nil { return }
        let isOfTest = found.map { $0.owner.belongs(to: test) } ?? false
        withoutPass {
            watch(
                Resolution(
                    type: type, name: name, callSite: callSite, registered: found?.location, isOfTest: isOfTest))
        }
    }
}
