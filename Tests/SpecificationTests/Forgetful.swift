import ResolverSpecification

/// The reference as a library that ignores a reset.
final class Forgetful: SystemUnderTest {
    private let reference = ReferenceSystem()

    var features: Set<Feature> { reference.features }
    func makeContainer() -> any ContainerUnderTest { reference.makeContainer() }
    func makeContainer(before parent: any ContainerUnderTest) -> any ContainerUnderTest {
        reference.makeContainer(before: parent)
    }
    func makeContainer(isolating parent: any ContainerUnderTest) -> any ContainerUnderTest {
        reference.makeContainer(isolating: parent)
    }
    func reset(_ lifetime: Lifetime) { if lifetime != .cached { reference.reset(lifetime) } }
    func resetAndWait(_ lifetime: Lifetime) async { await reference.resetAndWait(lifetime) }
    func setTime(_ seconds: Double) { reference.setTime(seconds) }
    func decorate(_ observer: (@Sendable (Any) -> Void)?) { reference.decorate(observer) }
    func setCurrent(_ kind: ContextKind, id: String) -> any ContextUnderTest { reference.setCurrent(kind, id: id) }
    func clear(_ kind: ContextKind) { reference.clear(kind) }
    func currentID(_ kind: ContextKind) -> String? { reference.currentID(kind) }
    func withContext(_ kind: ContextKind, id: String, _ body: () throws -> Void) rethrows {
        try reference.withContext(kind, id: id, body)
    }
    func withContext(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async rethrows {
        try await reference.withContext(kind, id: id, body)
    }
    func register<Service>(
        _ type: Service.Type, in kind: ContextKind, line: UInt, factory: @escaping @Sendable () throws -> Service?
    ) -> any RegistrationUnderTest<Service> { reference.register(type, in: kind, line: line, factory: factory) }
}
