import Resolver
import Testing

/// A tree of nodes: contracts checked by the compiler, combined with services of containers.
@Suite struct MuseumServicesTests {
    /// A building whose parts are nodes.
    final class Building: ScopeNode, Floor.Parent, @unchecked Sendable {
        let catalogue = Catalogue(["Building"])
        @ChildScope({ Floor(parent: $0 as Building) }) var floor: Floor

        init(_ register: Register, fallback: Resolver? = nil) {
            super.init(fallback: fallback)
            resolver.register { Entry("alarm", in: register) }.scope(.container)
        }
    }

    /// Its contract requires a node and one property.
    final class Floor: ScopeNode, @unchecked Sendable {
        protocol Parent: ScopeNode {
            var catalogue: Catalogue { get }
        }

        private let building: any Parent
        var catalogue: Catalogue { building.catalogue }
        @ChildScope({ Showcase(parent: $0 as Floor) }) var showcase: Showcase

        init(parent: any Parent) {
            building = parent
            super.init(parent: parent)
        }
    }

    final class Showcase: ScopeNode, @unchecked Sendable {
        init(parent: ScopeNode) {
            super.init(parent: parent)
            resolver.register { Lamp(guardedBy: $0.resolve()) }.scope(.container)
        }

        var lamp: Lamp { resolver.resolve() }
    }

    final class Lamp: Sendable {
        let alarm: Entry
        init(guardedBy alarm: Entry) { self.alarm = alarm }
    }

    @Test func `a node creates its own service with dependencies from its parents`() {
        let building = Building(Register())
        let showcase = building.floor.showcase
        #expect(showcase.lamp === showcase.lamp)
        #expect(showcase.lamp.alarm === building.resolver.resolve(Entry.self))
        #expect(building.resolver.optional(Lamp.self) == nil)
        #expect(
            building.treeDescription == """
                Building, live, 1 instance
                  floor: Floor, live, 0 instances
                    showcase: Showcase, live, 1 instance
                """)
    }

    @Test func `a scope that is created again has new services`() {
        let floor = Building(Register()).floor
        let first = floor.showcase.lamp
        #expect(floor.showcase.lamp !== first)
        #expect(floor.showcase.lamp.alarm === first.alarm)
    }

    @Test func `a scope overrides a service for itself and its children`() {
        let register = Register()
        let building = Building(register)
        let floor = building.floor
        floor.resolver.register { Entry("silent", in: register) }.scope(.container)
        #expect(floor.showcase.lamp.alarm.name == "silent")
        #expect(building.resolver.resolve(Entry.self).name == "alarm")
    }

    @Test func `the dependency report lists each service and its provider`() {
        let register = Register()
        let building = Building(register)
        building.resolver.register { Catalogue() }
        building.resolver.register(name: "old") { Catalogue() }
        let showcase = building.floor.showcase
        showcase.resolver.register { Catalogue() }.scope(.container)
        _ = showcase.lamp
        #expect(
            showcase.dependencyReport == """
                ResolverTests.Catalogue from Showcase
                ResolverTests.MuseumServicesTests.Lamp from Showcase, kept
                ResolverTests.Catalogue:old from Building
                ResolverTests.Entry from Building, kept
                """)
    }

    final class MockBuilding: ScopeNode, Floor.Parent {
        let catalogue = Catalogue(["Mock"])
    }

    @Test func `a mock parent provides its own services`() {
        let mock = MockBuilding()
        mock.resolver.register { Entry("mock", in: Register()) }.scope(.container)
        let floor = Floor(parent: mock)
        #expect(floor.catalogue === mock.catalogue)
        #expect(floor.showcase.lamp.alarm === mock.resolver.resolve(Entry.self))
    }

    @Test func `a tree falls back to the app's container`() {
        let app = Resolver()
        app.register { Catalogue(["App"]) }.scope(.container)
        let floor = Building(Register(), fallback: app).floor
        #expect(floor.showcase.resolver.resolve(Catalogue.self) === app.resolve(Catalogue.self))
    }

    @Test func `services of a leaf are released before those of the root`() {
        let register = Register()
        var showcase: Showcase?
        do {
            let building = Building(register)
            showcase = building.floor.showcase
            showcase?.resolver.register(name: "glass") { Entry("glass", in: register) }.scope(.container)
            _ = building.resolver.resolve(Entry.self)
            _ = showcase?.resolver.resolve(Entry.self, name: "glass")
        }
        #expect(register.gone.value == [])
        showcase = nil
        #expect(register.gone.value == ["glass", "alarm"])
    }

    /// As documented, the node that asks first provides the dependencies.
    @Test func `a cached service of the root gets the dependencies of the node that asks first`() {
        let building = Building(Register())
        building.resolver.register(name: "kept") { Lamp(guardedBy: $0.resolve()) }.scope(.container)
        let floor = building.floor
        floor.resolver.register { Entry("silent", in: Register()) }.scope(.container)
        #expect(floor.resolver.resolve(Lamp.self, name: "kept").alarm.name == "silent")
        #expect(building.resolver.resolve(Lamp.self, name: "kept").alarm.name == "silent")
    }

    @Test func `sixty four threads get one service of a held scope`() {
        let building = Building(Register())
        let got = Box<[Lamp]>([])
        let held = building.floor.showcase
        Threads.run(64) { _ in got.append(building.floor.showcase.lamp) }
        #expect(Set(got.value.map(ObjectIdentifier.init)).count == 1)
        #expect(got.value.first === held.lamp)
    }
}
