import Resolver
import Testing

/// Factories of the main actor in a main-actor module.
@Suite struct IsolationTests {
    private let resolver = Resolver()

    @Test func `factories of the main actor run in a call on the main actor`() throws {
        resolver.register { @MainActor in Model() }
            .resolveProperties { @MainActor _, model in model.count += 1 }
        #expect(try resolver.tryResolve(Model.self).title == "model")
        #expect(try resolver.tryResolve(Model.self).count == 1)
    }

    @Test func `factories of the main actor run after a suspension`() async throws {
        resolver.register { @MainActor in Model() }
        await Task.detached {}.value
        #expect(try resolver.tryResolve(Model.self).title == "model")
    }

    @Test func `a service of the main actor may need a nonisolated service`() throws {
        resolver.register { Sign(label: "sign") }
        resolver.register { @MainActor r in Model(r.resolve(Sign.self).label) }
        #expect(try resolver.tryResolve(Model.self).title == "sign")
    }

    @Test func `services of the main actor share a resolution cycle`() throws {
        final class Screen {
            let model: Model
            let header: Header

            init(_ model: Model, _ header: Header) {
                self.model = model
                self.header = header
            }
        }
        final class Header {
            let model: Model

            init(_ model: Model) {
                self.model = model
            }
        }
        resolver.register { @MainActor in Model() }
        resolver.register { @MainActor r in try Header(r.tryResolve()) }
        resolver.register { @MainActor r in try Screen(r.tryResolve(), r.tryResolve()) }
        let screen = try resolver.tryResolve(Screen.self)
        #expect(screen.model === screen.header.model)
    }

    @Test func `an alias may be a protocol of the main actor`() throws {
        resolver.register { @MainActor in Model() }.implements(Titled.self).scope(.container)
        let titled = try resolver.tryResolve(Titled.self)
        #expect(try resolver.tryResolve(Model.self) === titled)
    }

    @Test func `resolving a service of the main actor off it is an error`() async {
        resolver.register { @MainActor in Model() }
        let error = await Task.detached { [resolver] in
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(Model.self) }
        }.value
        #expect(error?.code == .wrongIsolation)
        #expect(error?.service == "ClientMainActorTests.Model")
    }

    @Test func `a cached service of the main actor is returned off it`() async throws {
        resolver.register { @MainActor in Model() }.scope(.container)
        let model = try resolver.tryResolve(Model.self)
        let found = await Task.detached { [resolver] in try? resolver.tryResolve(Model.self) }.value
        #expect(found === model)
    }

    @Test func `a plain factory in a main-actor module is nonisolated`() async {
        resolver.register { Leaf() }
        let leaf = await Task.detached { [resolver] in try? resolver.tryResolve(Leaf.self) }.value
        #expect(leaf != nil)
    }
}
