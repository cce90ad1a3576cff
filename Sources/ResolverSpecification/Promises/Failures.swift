import ConcurrencySupport
import Testing

extension Specification {
    /// The errors of failed calls, and the state after them.
    static let failures: [Promise] = [
        Promise("What a factory throws is told unchanged.", "Errors.md", each: Lifetime.plain) {
            _, container, lifetime in
            container.register(Leaf.self, line: 5) { throw Mishap() }.setLifetime(lifetime)
            let failure = try container.failure(of: Leaf.self)
            expect(failure, is: Failure("factoryFailed", ["Leaf@5"]), "\(lifetime)")
            expect(failure.underlying is Mishap, "\(lifetime)")
        },
        Promise("After an error the next call tries again.", "Registering.md#factories", each: Lifetime.plain) {
            _, container, lifetime in
            let counter = Counter()
            container.register {
                guard counter.increment() > 2 else { throw Mishap() }
                return Leaf()
            }.setLifetime(lifetime)
            for _ in 1...2 {
                try expect(container.failure(of: Leaf.self).code, is: "factoryFailed", "\(lifetime)")
                try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            }
            try expect(container.optional(Leaf.self) != nil, "\(lifetime)")
            expect(counter.value, is: 3, "\(lifetime)")
        },
        Promise("Nil is not kept: the next call tries again.", "Scopes.md", each: Lifetime.plain) {
            _, container, lifetime in
            let counter = Counter()
            container.register { counter.increment() > 2 ? Leaf() : nil }.setLifetime(lifetime)
            for _ in 1...2 { try expect(container.optional(Leaf.self), is: nil, "\(lifetime)") }
            try expect(container.optional(Leaf.self) != nil, "\(lifetime)")
            expect(counter.value, is: 3, "\(lifetime)")
        },
        Promise("The path has what was being made, the outermost first.", "Errors.md") { _, container in
            container.register(line: 10) { container in Holder(try container.get(Pair.self)) }
            container.register(Pair.self, name: nil, line: 20) { container, _ in
                let leaf = try container.get(Leaf.self, name: "missing")
                return Pair(leaf, leaf)
            }
            let failure = try container.failure(of: Holder<Pair>.self)
            expect(failure.code, is: "notRegistered")
            expect(failure.path.dropFirst(), is: ["Pair@20", "Leaf:missing"])
            expect(failure.path.first?.hasSuffix("@10"), is: true)
        },
        Promise("A failure of a part is passed on with its own code.", "Registering.md#factories") { _, container in
            container.register { container in Holder(try container.get(Leaf.self)) }
            container.register(Leaf.self) { nil }
            try expect(container.failure(of: Holder<Leaf>.self).code, is: "factoryReturnedNil")
            container.register(Leaf.self) { throw Mishap() }
            let failure = try container.failure(of: Holder<Leaf>.self)
            expect(failure.code, is: "factoryFailed")
            expect(failure.underlying is Mishap)
            expect(failure.path.count, is: 2)
        },
        Promise("A failure of a part leaves nothing of the whole that is kept.", "Errors.md", each: Lifetime.strong) {
            _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            let isBroken = Box(true)
            container.register { container in
                let leaf = try container.get(Leaf.self)
                if isBroken.value { throw Mishap() }
                return Holder(leaf)
            }.setLifetime(lifetime)
            _ = try container.failure(of: Holder<Leaf>.self)
            try expect(container.existing(Holder<Leaf>.self), is: nil, "\(lifetime)")
            let part = try #require(try container.existing(Leaf.self), "\(lifetime): the part was made and is kept")
            isBroken.set(false)
            try expect(container.get(Holder<Leaf>.self).part === part, "\(lifetime)")
        },
        Promise("A factory may catch the failure of a part.", "Resolving.md") { _, container in
            container.register { container in Holder((try? container.get(String.self)) ?? "nothing") }
            try expect(container.get(Holder<String>.self).part, is: "nothing")
        },
        Promise(
            "A factory whose registration was replaced meanwhile may still return nil.", "Errors.md",
            each: [Lifetime.graph, .cached]
        ) { _, container, lifetime in
            container.register(name: "it", line: 1) { [unowned container] () -> Leaf? in
                _ = container.registerLeaf(lifetime, name: "it", line: 2)
                return nil
            }.setLifetime(lifetime)
            try expect(
                container.failure(of: Leaf.self, name: "it"), is: Failure("factoryReturnedNil", ["Leaf:it@1"]),
                "\(lifetime)")
            container.register { [unowned container] () -> Leaf? in
                container.reset(.registrations)
                return nil
            }.setLifetime(lifetime)
            try expect(container.failure(of: Leaf.self).code, is: "factoryReturnedNil", "\(lifetime)")
        },
        Promise("`existing` is nil where making the service fails.", "Resolving.md") { _, container in
            container.register(name: "throws") { () throws -> Leaf? in throw Mishap() }.setLifetime(.cached)
            container.register(Leaf.self, name: "cyclic", line: 1) { container, _ in
                try container.get(Leaf.self, name: "cyclic")
            }
            for name in ["throws", "cyclic"] {
                _ = try container.failure(of: Leaf.self, name: name)
                try expect(container.existing(Leaf.self, name: name), is: nil)
            }
        },
    ]
}
