import ConcurrencySupport
import Testing

extension Specification {
    /// Containers that search others, and isolating containers.
    static let containers: [Promise] =
        children.map { $0.needing(.children) } + isolation.map { $0.needing(.isolation) }

    private static let children: [Promise] = [
        Promise("A container's own registration comes before those of its children.", "Containers.md") {
            system, inner in
            inner.register { "inner" }
            let outer = system.makeContainer(before: inner)
            try expect(outer.get(String.self), is: "inner")
            outer.register { "outer" }
            try expect(outer.get(String.self), is: "outer")
            try expect(inner.get(String.self), is: "inner")
            outer.register { try inner.get(String.self) + ", changed" }
            try expect(outer.get(String.self), is: "inner, changed", "the two are no dependency cycle")
        },
        Promise("Children are searched in the order in which they were added.", "Resolving.md#where-it-looks") {
            system, outer in
            let inner = ["first", "second"].map { text in
                let container = system.makeContainer()
                container.register { text }
                return container
            }
            inner[1].register { 2 }
            for container in inner { outer.add(container) }
            try expect(outer.get(String.self), is: "first")
            try expect(outer.get(Int.self), is: 2)
        },
        Promise("Children are searched depth first.", "Resolving.md#where-it-looks") { system, _ in
            let (outer, first, grandchild, second) = (
                system.makeContainer(), system.makeContainer(), system.makeContainer(), system.makeContainer()
            )
            outer.add(first)
            outer.add(second)
            first.add(grandchild)
            second.register { "second child" }
            grandchild.register { "grandchild" }
            try expect(outer.get(String.self), is: "grandchild")
        },
        Promise("Containers that search each other are searched once each.", "Containers.md") { system, _ in
            let (one, other) = (system.makeContainer(), system.makeContainer())
            one.add(other)
            other.add(one)
            one.add(one)
            try expect(one.failure(of: String.self).code, is: "notRegistered")
            other.register { "found" }
            try expect(one.get(String.self), is: "found")
            try expect(other.get(String.self), is: "found")
            // The number of paths is doubled sixty times.
            var container = system.makeContainer()
            for _ in 0..<60 {
                let (left, right) = (system.makeContainer(before: container), system.makeContainer(before: container))
                container = system.makeContainer(before: left)
                container.add(right)
            }
            try expect(container.optional(String.self), is: nil)
        },
        Promise("A child does not find what only its parent has registered.", "Containers.md") { system, inner in
            let outer = system.makeContainer(before: inner)
            outer.register { "outer" }
            try expect(inner.optional(String.self), is: nil)
        },
        Promise("A factory of a child is handed the container that was asked.", "Containers.md") { system, inner in
            inner.register { container in Holder(try container.get(String.self)) }
            inner.register { "inner" }
            let outer = system.makeContainer(before: inner)
            outer.register { "outer" }
            try expect(outer.get(Holder<String>.self).part, is: "outer")
            try expect(inner.get(Holder<String>.self).part, is: "inner")
        },
        Promise("Properties are resolved by the container that was asked.", "Containers.md", needs: [.properties]) {
            system, inner in
            let found = Log()
            inner.register { Leaf() }.complete { container, _, _ in found.note(try container.get(String.self)) }
            let outer = system.makeContainer(before: inner)
            outer.register { "outer" }
            _ = try outer.get(Leaf.self)
            expect(found.value, is: ["outer"])
        },
        Promise("Where a factory returns nil or throws the search ends.", "Registering.md#factories") { system, inner in
            inner.register { "inner" }
            let outer = system.makeContainer(before: inner)
            outer.register(String.self) { nil }
            try expect(outer.optional(String.self), is: nil)
            try expect(outer.failure(of: String.self).code, is: "factoryReturnedNil")
            outer.register(String.self) { throw Mishap() }
            try expect(outer.failure(of: String.self).code, is: "factoryFailed")
        },
        Promise("What a child keeps is the same for all who ask.", "Containers.md#isolating", each: Lifetime.keeping) {
            system, inner, lifetime in
            _ = inner.registerLeaf(lifetime)
            let outer = system.makeContainer(before: inner)
            let leaf = try outer.get(Leaf.self)
            try expect(inner.get(Leaf.self) === leaf, "\(lifetime)")
            try expect(inner.existing(Leaf.self) === leaf, "\(lifetime)")
            try expect(outer.existing(Leaf.self) === leaf, "\(lifetime)")
        },
        Promise(
            "A reset of one container leaves what its children keep.", "Resetting.md",
            each: [Lifetime.cached, .container, .custom]
        ) { system, inner, lifetime in
            _ = inner.registerLeaf(lifetime)
            let outer = system.makeContainer(before: inner)
            let leaf = try outer.get(Leaf.self)
            for part in [ResetPart.scopes, .lifetime(lifetime), .all] { outer.reset(part) }
            try expect(inner.get(Leaf.self) === leaf, "\(lifetime)")
            inner.reset(.scopes)
            try expect(outer.existing(Leaf.self), is: nil, "\(lifetime)")
        },
        Promise(
            "An instance lives as long as the container that registered it.",
            "Containers.md#a-container-for-each-screen", each: [Lifetime.cached, .container]
        ) { system, inner, lifetime in
            weak var leaf: Leaf?
            weak var other: OtherLeaf?
            do {
                let outer = system.makeContainer(before: inner)
                _ = inner.registerLeaf(lifetime)
                outer.register { OtherLeaf() }.setLifetime(lifetime)
                leaf = try outer.get(Leaf.self)
                other = try outer.get(OtherLeaf.self)
                withExtendedLifetime(outer) { expect(leaf != nil && other != nil, "\(lifetime)") }
            }
            withExtendedLifetime(inner) { expect(leaf != nil && other == nil, "\(lifetime)") }
        },
        Promise("A container holds its children.", "Containers.md") { system, outer in
            do {
                let inner = system.makeContainer()
                inner.register { "inner" }
                outer.add(inner)
            }
            try expect(outer.get(String.self), is: "inner")
        },
        Promise("Children may be added from any thread.", "Threads.md", needs: [.threads]) { system, outer in
            let numbers = try await Threads.results(8) { index in
                let inner = system.makeContainer()
                inner.register(name: "\(index)") { index }
                outer.add(inner)
                return try outer.get(Int.self, name: "\(index)")
            }
            expect(numbers, is: Array(0..<8))
            for index in 0..<8 { try expect(outer.get(Int.self, name: "\(index)"), is: index) }
        },
    ]
}
