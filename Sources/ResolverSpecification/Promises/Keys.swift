import ConcurrencySupport
import Testing

extension Specification {
    /// Keys of registrations, and modifiers.
    static let keys: [Promise] = names + search + functions + aliases + modifiers

    private static let names: [Promise] = [
        Promise("The last registration wins.", "Registering.md#the-last-registration-wins") { _, container in
            container.register { "first" }
            container.register { "second" }
            try expect(container.get(String.self), is: "second")
        },
        Promise(
            "Another registration releases what the one in its place has kept.",
            "Registering.md#the-last-registration-wins", each: Lifetime.keeping
        ) { _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            let old = try container.get(Leaf.self)
            _ = container.registerLeaf(lifetime)
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            try expect(container.get(Leaf.self) !== old, "\(lifetime)")
        },
        Promise(
            "A registration with another name leaves what others have kept.",
            "Registering.md#the-last-registration-wins"
        ) { _, container in
            _ = container.registerLeaf(.cached)
            let leaf = try container.get(Leaf.self)
            _ = container.registerLeaf(.cached, name: "other")
            try expect(container.get(Leaf.self) === leaf)
            try expect(container.get(Leaf.self, name: "other") !== leaf)
        },
        Promise("A named registration does not stand in for the unnamed one.", "Names.md") { _, container in
            container.register(name: "live") { "live" }
            try expect(container.optional(String.self), is: nil)
            try expect(container.get(String.self, name: "live"), is: "live")
        },
        Promise("An unnamed registration does not stand in for a named one.", "Names.md") { _, container in
            container.register { "unnamed" }
            try expect(container.optional(String.self, name: "live"), is: nil)
            try expect(container.failure(of: String.self, name: "live").code, is: "notRegistered")
        },
        Promise("Names are exact and case-sensitive.", "Names.md") { _, container in
            let names = ["live", "Live", "live ", "liv", ""]
            for name in names { container.register(name: name) { name } }
            for name in names { try expect(container.get(String.self, name: name), is: name) }
            try expect(container.optional(String.self), is: nil)
            try expect(container.optional(String.self, name: "LIVE"), is: nil)
        },
        Promise("Every call takes a name.", "Resolving.md") { _, container in
            for name in ["a", "b"] {
                container.register(name: name) { name }.setLifetime(.cached)
                _ = try container.get(String.self, name: name)
                for function in SyncFunction.allCases {
                    try expect(container.ask(function, String.self, name: name, nil), is: name, "\(function)")
                }
            }
        },
        Promise("Registrations of one type under two names keep two instances.", "Scopes.md", each: Lifetime.strong) {
            _, container, lifetime in
            _ = container.registerLeaf(lifetime, name: "a")
            _ = container.registerLeaf(lifetime, name: "b")
            let leaf = try container.get(Leaf.self, name: "a")
            try expect(container.get(Leaf.self, name: "b") !== leaf, "\(lifetime)")
            try expect(container.get(Leaf.self, name: "a") === leaf, "\(lifetime)")
        },
    ]

    private static let search: [Promise] = [
        Promise("A class does not answer for its protocols.", "Resolving.md#where-it-looks") { _, container in
            container.register { Leaf() }
            try expect(container.optional((any Role).self), is: nil)
            try expect(container.failure(of: (any Role).self).code, is: "notRegistered")
        },
        Promise("A class does not answer for its superclass.", "Resolving.md#where-it-looks") { _, container in
            class Base: @unchecked Sendable {}
            final class Derived: Base, @unchecked Sendable {}
            container.register { Derived() }
            try expect(container.optional(Base.self), is: nil)
            try expect(container.optional(Derived.self) != nil)
        },
        Promise("An optional of a registered type is another type.", "Resolving.md#optionals") { _, container in
            container.register(Int.self) { 1 }
            try expect(container.failure(of: Int?.self).code, is: "notRegistered")
            try expect(container.get(Int.self), is: 1)
        },
        Promise("A service may be registered as its protocol only.", "Registering.md#protocols") { _, container in
            container.register { Leaf() as any Role }
            try expect(container.optional((any Role).self) is Leaf)
            try expect(container.optional(Leaf.self), is: nil)
        },
        Promise("A factory may register and resolve.", "Registering.md#factories") { _, container in
            container.register { container in
                container.register(name: "inner") { "made" }
                return Holder(try container.get(String.self, name: "inner"))
            }
            try expect(container.get(Holder<String>.self).part, is: "made")
        },
        Promise("A factory finds other services by the container it is handed.", "Registering.md#factories") {
            _, container in
            container.register { container in Holder(try container.get(Int.self)) }
            container.register { 7 }
            try expect(container.get(Holder<Int>.self).part, is: 7)
        },
    ]

    private static let functions: [Promise] = [
        Promise("What is not registered is nil, or an error.", "Resolving.md") { _, container in
            try expect(container.optional(Leaf.self), is: nil)
            try expect(container.existing(Leaf.self), is: nil)
            try expect(container.failure(of: Leaf.self), is: Failure("notRegistered", ["Leaf"]))
        },
        Promise("Where a factory returns nil, `optional` is nil and `tryResolve` throws.", "Resolving.md") {
            _, container in
            container.register(Leaf.self, line: 3) { nil }
            try expect(container.optional(Leaf.self), is: nil)
            try expect(container.existing(Leaf.self), is: nil)
            try expect(container.failure(of: Leaf.self), is: Failure("factoryReturnedNil", ["Leaf@3"]))
        },
        Promise("`existing` never makes an instance.", "Resolving.md", each: Lifetime.plain) { _, container, lifetime in
            let made = Counter()
            container.register {
                made.increment()
                return Leaf()
            }.setLifetime(lifetime)
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            expect(made.value, is: 0, "\(lifetime)")
        },
        Promise("`existing` answers the instance that is kept.", "Resolving.md", each: Lifetime.keeping) {
            _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            let leaf = try container.get(Leaf.self)
            try expect(container.existing(Leaf.self) === leaf, "\(lifetime)")
        },
        Promise(
            "All calls that make an instance hand out the same kept one.", "Resolving.md",
            each: [SyncFunction.resolve, .optional, .tryResolve]
        ) { _, container, first in
            _ = container.registerLeaf(.cached)
            let leaf = try #require(try container.ask(first, Leaf.self, name: nil, nil))
            for function in SyncFunction.allCases {
                try expect(container.ask(function, Leaf.self, name: nil, nil) === leaf, "\(first), \(function)")
            }
        },
        Promise("The observer is called with what is handed out, made or kept.", "Resolving.md#decorating") {
            system, container in
            _ = container.registerLeaf(.cached)
            let seen = Box<[ObjectIdentifier]>([])
            system.decorate { service in
                if let leaf = service as? Leaf { seen.update { $0.append(ObjectIdentifier(leaf)) } }
            }
            let leaf = try container.get(Leaf.self)
            for function in SyncFunction.allCases { _ = try container.ask(function, Leaf.self, name: nil, nil) }
            system.decorate(nil)
            _ = try container.get(Leaf.self)
            let calls = seen.value.filter { $0 == ObjectIdentifier(leaf) }
            expect(calls.count, is: 4, "the first call and the three after it, but not existing")
        },
        Promise("The observer is called with nested services, too.", "Resolving.md#decorating") { system, container in
            container.register { Leaf() }
            container.register { container in Holder(try container.get(Leaf.self)) }
            let seen = Box<[ObjectIdentifier]>([])
            system.decorate { service in
                if let leaf = service as? Leaf { seen.update { $0.append(ObjectIdentifier(leaf)) } }
            }
            let holder = try container.get(Holder<Leaf>.self)
            system.decorate(nil)
            expect(seen.value.contains(ObjectIdentifier(holder.part)))
        },
    ]
}
