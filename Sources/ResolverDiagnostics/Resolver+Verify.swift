import Resolver

extension Resolver {
    /// Checks the wiring of all services that this resolver finds, without running a factory.
    ///
    ///     @Test func theWiring() throws { try Resolver.verify() }
    ///
    /// It reads the registrations: `autoregister` and `.needs` declare dependencies, `.implements` aliases, and modifiers
    /// lifetimes. It does not see undeclared dependencies that a closure resolves.
    ///
    /// - Returns: the report, which may have warnings.
    /// - Throws: the report, as a `WiringReport`, if it has errors.
    @discardableResult
    public func verify() throws -> WiringReport {
        let report = Wiring(registrations).report()
        if !report.errors.isEmpty { throw report }
        return report
    }

    /// Checks the wiring of all services that `root` finds. See the instance method for the details.
    ///
    /// - Returns: the report, which may have warnings.
    /// - Throws: the report, as a `WiringReport`, if it has errors.
    @discardableResult
    public static func verify() throws -> WiringReport { try preparedRoot().verify() }
}
