import Resolver
import Testing

/// Scopes as plain classes that create their children, compiled in Swift 6 and again as main-actor classes.
@Suite struct ScopeTreeTests {
    /// A service that only the scopes of a station use.
    final class Clock {}

    final class Station: Studio.Parent, Newsroom.Parent {
        lazy var clock = Clock()
        let call = "QX1"

        // The three spellings of a child, and one retained child.
        lazy var newsroom: Weak<Newsroom> = Weak(of: self) { Newsroom(parent: $0) }
        lazy var literal: Weak<Newsroom> = Weak({ Newsroom(parent: self) })
        @ChildScope({ Studio(parent: $0 as Station) }) var studio: Studio
        @ChildScope({ (station: Station) in Vault(station) }, .retained) var vault
    }

    final class Studio {
        protocol Parent: AnyObject { var clock: Clock { get } }

        private let parent: any Parent
        lazy var clock = parent.clock

        init(parent: any Parent) { self.parent = parent }
    }

    final class Newsroom {
        protocol Parent { var call: String { get } }

        private let parent: any Parent
        var headline: String { "This is \(parent.call)" }

        init(parent: any Parent) { self.parent = parent }
    }

    /// Retained by its parent, so it does not retain its parent.
    final class Vault {
        unowned let station: Station
        init(_ station: Station) { self.station = station }
    }

    @Test func `a scope passes itself to a child, of which there is one while it is referenced`() {
        let station = Station(), studio = station.studio, newsroom = station.newsroom.value
        expect(studio.clock === station.clock)
        expect(station.studio === studio)
        expect(station.$studio.current === studio)
        expect(newsroom.headline, is: "This is QX1")
        expect(station.vault.station === station)
        expect(station.newsroom.value === newsroom)
    }

    nonisolated final class Tape: Sendable {}

    /// A subclass of a nonisolated class is marked `nonisolated` for modules with a default isolation.
    nonisolated final class Transmitter: ScopeNode {
        @ChildScope({ (transmitter: Transmitter) in ScopeNode(parent: transmitter, name: "Mast") }) var mast

        init() {
            super.init(name: "Transmitter")
            resolver.register { Tape() }.scope(.container)
        }
    }

    /// An isolated class has a node instead.
    @MainActor final class Desk {
        let node: ScopeNode
        lazy var tape: Tape = node.resolver.resolve()

        init(below transmitter: Transmitter) { node = ScopeNode(parent: transmitter, name: "Desk") }
    }

    @MainActor @Test func `a ScopeNode can be a superclass or a property`() {
        let transmitter = Transmitter(), desk = Desk(below: transmitter)
        expect(desk.tape === transmitter.mast.resolver.resolve(Tape.self))
        expect(
            transmitter.treeDescription,
            is: """
                Transmitter, live, 1 instance
                  mast: ScopeNode, idle
                  Desk, live, 0 instances
                """)
    }
}
