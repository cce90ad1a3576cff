import Testing

extension Specification {
    /// Captive dependencies: a longer-lived service gets no instance of a shorter-lived context.
    static let captives: [Promise] = [
        Promise("What lives longer gets an instance of its own.", "Contexts.md#hidden-scopes", each: Lifetime.keeping) {
            system, container, lifetime in
            _ = container.registerLeaf(.context(.request, isRequired: false))
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
            try system.within(.request, id: "1") {
                let leaf = try container.get(Leaf.self)
                try expect(container.get(Holder<Leaf>.self).part !== leaf, "\(lifetime)")
                try expect(container.get(Leaf.self) === leaf, "\(lifetime)")
            }
        },
        Promise(
            "What is not kept gets the instance of the context.", "Contexts.md#hidden-scopes",
            each: [Lifetime.graph, .unique, .context(.request, isRequired: false)]
        ) { system, container, lifetime in
            _ = container.registerLeaf(.context(.request, isRequired: false))
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
            try system.within(.request, id: "1") {
                let leaf = try container.get(Leaf.self)
                try expect(container.get(Holder<Leaf>.self).part === leaf, "\(lifetime)")
            }
        },
        Promise("What belongs to a context gets instances of higher rank only.", "Contexts.md#hidden-scopes") {
            system, _ in
            for (outer, inner) in [(ContextKind.session, ContextKind.request), (.request, .session)] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(inner, isRequired: false))
                container.register { container in Holder(try container.get(Leaf.self)) }
                    .setLifetime(.context(outer, isRequired: false))
                _ = system.setCurrent(.session, id: "ada")
                _ = system.setCurrent(.request, id: "1")
                let leaf = try container.get(Leaf.self)
                let isTaken = try container.get(Holder<Leaf>.self).part === leaf
                expect(isTaken, is: inner == .session)
                system.clear(.request)
                system.clear(.session)
            }
        },
        Promise("A longer-lived service shares no object that depends on a hidden context.", "CaptiveDependencies.md") {
            system, _ in
            for lifetime in [Lifetime.cached, .application, .shared] {
                for isFirst in [false, true] {
                    let container = system.makeContainer()
                    _ = container.registerLeaf(.context(.request, isRequired: false))
                    registerWhole(on: container, lifetime, isKeptFirst: isFirst)
                    try system.within(.request, id: "1") {
                        try verify(container.get(Whole.self), container.get(Leaf.self), "\(lifetime), \(isFirst)")
                    }
                    // A registration of the request in place of an instance.
                    let other = system.makeContainer()
                    _ = other.registerLeaf(.graph)
                    registerWhole(on: other, lifetime, isKeptFirst: isFirst)
                    try system.within(.request, id: "1") {
                        _ = system.register(Leaf.self, in: .request, line: #line) { Leaf() }
                        try verify(other.get(Whole.self), other.get(Leaf.self), "\(lifetime), \(isFirst)")
                    }
                }
            }
        },
        Promise(
            "An asynchronous call shares no object that depends on a hidden context with a longer-lived service.",
            "CaptiveDependencies.md", needs: [.async], each: [false, true]
        ) { system, container, isFirst in
            _ = container.registerLeaf(.context(.request, isRequired: false))
            registerWhole(on: container, .cached, isKeptFirst: isFirst, isAsync: true)
            try await system.withContext(.request, id: "1") {
                let whole = try await container.getAsync(Whole.self), leaf = try container.get(Leaf.self)
                verify(whole, leaf, "\(isFirst)")
            }
        },
        Promise("A longer-lived service shares the objects that depend on no context.", "CaptiveDependencies.md") {
            system, container in
            _ = container.registerLeaf(.context(.request, isRequired: false))
            // The whole depends on the context. Its part depends on a service that does, and that is kept without it.
            registerWhole(on: container, .cached, isKeptFirst: false)
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.cached)
            container.register { container in
                _ = try container.get(Leaf.self)
                return Whole(try container.get(), try container.get(), try container.get())
            }
            for kind in [ContextKind.request, .session] {
                try system.within(kind, id: "1") {
                    container.reset(.scopes)
                    let whole = try container.get(Whole.self)
                    expect(whole.kept.first === whole.first && whole.first === whole.second, "\(kind)")
                }
            }
        },
        Promise(
            "Services share the objects that depend on a context where it is hidden from all or from none of them.",
            "CaptiveDependencies.md"
        ) { system, _ in
            let request = Lifetime.context(.request, isRequired: false)
            let session = Lifetime.context(.session, isRequired: false)
            for (leaf, kept, other) in [
                (request, request, Lifetime.unique), (session, request, .unique), (request, session, .cached),
                (session, .cached, .shared), (request, .cached, .application),
            ] {
                for isFirst in [false, true] {
                    let container = system.makeContainer()
                    _ = container.registerLeaf(leaf)
                    registerWhole(on: container, kept, isKeptFirst: isFirst)
                    container.register { container in Holder(try container.get(Part.self)) }.setLifetime(other)
                    container.register(name: "both") { container in
                        Holder([try container.get(Kept.self).second, try container.get(Holder<Part>.self).part])
                    }
                    _ = system.setCurrent(.session, id: "ada")
                    try system.within(.request, id: "1") {
                        let parts = try container.get(Holder<[Part]>.self, name: "both").part
                        expect(parts[0] === parts[1], "\(leaf), \(kept), \(other)")
                    }
                    system.clear(.session)
                }
            }
        },
        Promise("A service of a hidden context alone is not found.", "Contexts.md#hidden-scopes") { system, container in
            container.register { container in Holder(try container.get(String.self)) }.setLifetime(.cached)
            _ = system.setCurrent(.request, id: "1")
            system.register(String.self, in: .request, line: 4) { "of the request" }
            try expect(container.get(String.self), is: "of the request")
            let failure = try container.failure(of: Holder<String>.self)
            expect(failure.code, is: "notRegistered")
            // The error says where the hidden service is registered.
            expect(failure.path.last, is: "String@4")
            system.clear(.request)
        },
        Promise("A required context that is hidden leaves no instance.", "Contexts.md#when-no-scope-is-current") {
            system, container in
            _ = container.registerLeaf(.context(.request, isRequired: true))
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.cached)
            try system.within(.request, id: "1") {
                let failure = try container.failure(of: Holder<Leaf>.self)
                expect(failure.code == "scopeDeclined" && failure.path.count == 2)
                try expect(container.optional(Leaf.self) != nil)
            }
        },
    ]

    /// Registers a whole that holds a part, and a kept service that holds it directly and through another object. The part depends on a
    /// leaf through a service that is not shared.
    private static func registerWhole(
        on container: any ContainerUnderTest, _ lifetime: Lifetime, isKeptFirst isFirst: Bool, isAsync: Bool = false
    ) {
        container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.unique)
        container.register { container in Part(try container.get()) }
        container.register { container in Holder(try container.get(Part.self)) }
        container.register { container in
            Kept(try container.get(), try container.get(Holder<Part>.self).part)
        }.setLifetime(lifetime)
        let make = { @Sendable (container: any ContainerUnderTest) throws in
            let kept: Kept? = isFirst ? try container.get(Kept.self) : nil
            // The holder creates the part. In the kept service, the part is there before its holder.
            let parts = (try container.get(Holder<Part>.self).part, try container.get(Part.self))
            return Whole(parts.0, parts.1, try kept ?? container.get(Kept.self))
        }
        if isAsync {
            container.registerAsync(Whole.self, name: nil, line: #line) { container, _ in try make(container) }
        } else {
            container.register { container in try make(container) }
        }
    }

    private static func verify(_ whole: Whole, _ leaf: Leaf, _ comment: Comment) {
        expect(whole.first.leaf === leaf && whole.first === whole.second, comment)
        expect(whole.kept.first.leaf !== leaf && whole.kept.first === whole.kept.second, comment)
    }
}

/// An object that holds a leaf.
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
    let first: Part
    let second: Part
    let kept: Kept

    init(_ first: Part, _ second: Part, _ kept: Kept) {
        self.first = first
        self.second = second
        self.kept = kept
    }
}
