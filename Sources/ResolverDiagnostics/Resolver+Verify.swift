import Resolver

extension Resolver {
    /// Checks the wiring of all services that this resolver finds, without running a factory.
    ///
    ///     @Test func theWiring() throws { try Resolver.verify() }
    ///
    /// Looks at what registrations say: `autoregister` and `.needs` say what a service needs, `.implements` what it stands for, modifiers
    /// how long it lives. What a closure resolves without saying so is not seen.
    ///
    /// - Returns: the report, which may have warnings.
    /// - Throws: the report, as a `WiringReport`, if it has errors.
    @discardableResult
    public func verify() throws -> WiringReport {
        let report = Wiring(registrations).report()
        if !report.errors.isEmpty { throw report }
        return report
    }

    /// Checks the wiring of all services that `root` finds. See the function of the same name on an instance.
    ///
    /// - Returns: the report, which may have warnings.
    /// - Throws: the report, as a `WiringReport`, if it has errors.
    @discardableResult
    public static func verify() throws -> WiringReport {
        try root.verify()
    }
}
