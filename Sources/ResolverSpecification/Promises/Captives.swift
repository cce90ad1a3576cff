import Testing

extension Specification {
    /// Captive dependencies: a longer-lived service gets no instance of a shorter-lived context.
    static let captives: [Promise] = [
        Promise(
            "What lives longer gets an instance of its own.", "Contexts.md#hidden-scopes", needs: [.contexts]
        ) {
            system in
            for lifetime in Lifetime.strong + [.shared] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(.request, isRequired: false))
                container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
                try system.within(.request, id: "1") {
                    let leaf = try container.get(Leaf.self)
                    try #expect(container.get(Holder<Leaf>.self).part !== leaf, "\(lifetime)")
                    try #expect(container.get(Leaf.self) === leaf, "\(lifetime)")
                }
            }
        },
        Promise(
            "What is not kept gets the instance of the context.", "Contexts.md#hidden-scopes",
            needs: [.contexts]
        ) {
            system in
            for lifetime in [Lifetime.graph, .unique, .context(.request, isRequired: false)] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(.request, isRequired: false))
                container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
                try system.within(.request, id: "1") {
                    let leaf = try container.get(Leaf.self)
                    try #expect(container.get(Holder<Leaf>.self).part === leaf, "\(lifetime)")
                }
            }
        },
        Promise(
            "What belongs to a context gets instances of higher rank only.", "Contexts.md#hidden-scopes",
            needs: [.contexts]
        ) {
            system in
            for (outer, inner) in [(ContextKind.session, ContextKind.request), (.request, .session)] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(inner, isRequired: false))
                container.register { container in Holder(try container.get(Leaf.self)) }
                    .setLifetime(.context(outer, isRequired: false))
                _ = system.setCurrent(.session, id: "ada")
                _ = system.setCurrent(.request, id: "1")
                let leaf = try container.get(Leaf.self)
                let isTaken = try container.get(Holder<Leaf>.self).part === leaf
                #expect(isTaken == (inner == .session))
                system.clear(.request)
                system.clear(.session)
            }
        },
        Promise(
            "A longer-lived service shares no object that depends on a hidden context.", "CaptiveDependencies.md",
            needs: [.contexts]
        ) {
            system in
            for (lifetime, isFirst) in [(Lifetime.cached, false), (.cached, true), (.shared, false), (.shared, true)] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(.request, isRequired: false))
                // The part depends on the context through another service. The whole and the longer-lived service depend on the part.
                container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.unique)
                container.register { container in Part(try container.get()) }
                container.register { container in Kept(try container.get(), try container.get()) }.setLifetime(lifetime)
                container.register { container in
                    guard isFirst else { return Whole(try container.get(), try container.get()) }
                    let kept = try container.get(Kept.self)
                    return Whole(try container.get(), kept)
                }
                try system.within(.request, id: "1") {
                    let (leaf, whole) = (try container.get(Leaf.self), try container.get(Whole.self))
                    #expect(whole.part.leaf === leaf, "\(lifetime), \(isFirst)")
                    #expect(
                        whole.kept.first !== whole.part && whole.kept.first.leaf !== leaf, "\(lifetime), \(isFirst)")
                    #expect(whole.kept.first === whole.kept.second, "\(lifetime), \(isFirst)")
                }
            }
        },
        Promise(
            "A longer-lived service shares the objects that depend on no hidden context.", "CaptiveDependencies.md",
            needs: [.contexts]
        ) {
            system in
            let container = system.makeContainer()
            _ = container.registerLeaf(.context(.request, isRequired: false))
            // The whole depends on the context. Its part depends on a service that does, and that is kept without it.
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.cached)
            container.register { container in Part(try container.get()) }
            container.register { container in Kept(try container.get(), try container.get()) }.setLifetime(.cached)
            container.register { container in
                _ = try container.get(Leaf.self)
                return Whole(try container.get(), try container.get())
            }
            for kind in [ContextKind.request, .session] {
                try system.within(kind, id: "1") {
                    container.reset(.scopes)
                    let whole = try container.get(Whole.self)
                    #expect(whole.kept.first === whole.part, "\(kind)")
                }
            }
        },
        Promise(
            "A service of a hidden context alone is not found.", "Contexts.md#hidden-scopes",
            needs: [.contexts]
        ) {
            system in
            let container = system.makeContainer()
            container.register { container in Holder(try container.get(String.self)) }.setLifetime(.cached)
            _ = system.setCurrent(.request, id: "1")
            system.register(String.self, in: .request, line: 4) { "of the request" }
            try #expect(container.get(String.self) == "of the request")
            let failure = try container.failure(of: Holder<String>.self)
            #expect(failure.code == "notRegistered")
            // The error says where the hidden service is registered.
            #expect(failure.path.last == "String@4")
            system.clear(.request)
        },
        Promise(
            "A required context that is hidden leaves no instance.", "Contexts.md#when-no-scope-is-current",
            needs: [.contexts]
        ) {
            system in
            let container = system.makeContainer()
            _ = container.registerLeaf(.context(.request, isRequired: true))
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.cached)
            try system.within(.request, id: "1") {
                let failure = try container.failure(of: Holder<Leaf>.self)
                #expect(failure.code == "scopeDeclined" && failure.path.count == 2)
                try #expect(container.optional(Leaf.self) != nil)
            }
        },
    ]
}

/// A part of a whole that holds a leaf.
private final class Part: Sendable {
    let leaf: Leaf

    init(_ holder: Holder<Leaf>) { leaf = holder.part }
}

private final class Kept: Sendable {
    let first: Part
    let second: Part

    init(_ first: Part, _ second: Part) {
        self.first = first
        self.second = second
    }
}

private final class Whole: Sendable {
    let part: Part
    let kept: Kept

    init(_ part: Part, _ kept: Kept) {
        self.part = part
        self.kept = kept
    }
}
