import Resolver
import Testing

/// Services whose conformance to the registered protocol belongs to the main actor. Other code must not use it.
@MainActor @Suite struct IsolatedConformanceTests {
    private nonisolated protocol Port { func ping() -> Bool }
    private nonisolated protocol ClassPort: AnyObject { func ping() -> Bool }
    private final class Net: @MainActor Port, @MainActor ClassPort {
        func ping() -> Bool {
            MainActor.shared.preconditionIsolated()
            return true
        }
    }

    /// - Parameter isFirst: whether code of the main actor asks by the protocol before other code does.
    @Test(arguments: [true, false], [true, false])
    func `an alias hands out an isolated conformance on its actor alone`(_ isFirst: Bool, _ isUnnamed: Bool) async {
        let resolver = Resolver(), name: Resolver.Name? = isUnnamed ? nil : "net"
        resolver.register(name: name) { @MainActor in Net() }
            .implements((any Port).self, name: name).implements((any ClassPort).self, name: name).scope(.cached)
        let net = resolver.resolve(Net.self, name: name)
        for _ in 0..<(isFirst ? 3 : 0) {
            #expect(resolver.resolve((any Port).self, name: name).ping())
            #expect(resolver.resolve((any ClassPort).self, name: name) === net)
        }
        let found = await Threads.result {
            [
                resolver.optional(Net.self, name: name) != nil,
                resolver.optional((any Port).self, name: name) != nil,
                resolver.optional((any ClassPort).self, name: name) != nil,
                resolver.existing((any Port).self, name: name) != nil,
            ]
        }
        #expect(found == [true, false, false, false])
        #expect(resolver.resolve((any Port).self, name: name).ping())
        #expect(resolver.existing((any ClassPort).self, name: name) === net)
    }

    @Test func `an object kept weakly by its isolated conformance is an error on another thread`() async {
        let resolver = Resolver()
        resolver.register { @MainActor in Net() as any Port }.scope(.shared)
        let held = resolver.resolve((any Port).self)
        let found = await Threads.result { () -> (ResolutionError.Code?, Bool) in
            var code: ResolutionError.Code?
            do throws(ResolutionError) { _ = try resolver.tryResolve((any Port).self) } catch { code = error.code }
            return (code, resolver.existing((any Port).self) != nil)
        }
        #expect(found.0 == .wrongIsolation)
        #expect(!found.1)
        let isHeld = resolver.existing((any Port).self) as AnyObject === held as AnyObject
        #expect(isHeld)
    }
}
