import Resolver
import Testing

/// What holds for every context, however it begins and ends: what is registered, kept and found.
///
/// One case at a time: each observes all contexts, and a context of the process is current for all tests.
@Suite(.serialized) struct ContextContractTests {
    @Test(arguments: ContextRow.all)
    func `a context is current and listed from its beginning to its end`(_ row: ContextRow) async {
        let subject = ContextSubject(row), context = ScopeContext.shared, kind = subject.kind
        expect(context.currentID(for: kind), is: nil)
        let scope = await subject.inContext { scope in
            expect(context.currentID(for: kind), is: subject.id)
            expect(context.current(kind) === scope)
            expect(scope.id, is: subject.id)
            expect(scope.kind, is: kind)
            expect(scope.isOpen)
            expect(context.openScopes().filter { $0.id == subject.id }.map(\.kind), is: [kind])
            return scope
        }
        expect(!scope.isOpen)
        expect(context.currentID(for: kind), is: nil)
        expect(!context.openScopes().contains { $0.id == subject.id })
    }

    @Test(arguments: ContextRow.all)
    func `events report the beginning and the end with its reason`(_ row: ContextRow) async {
        let subject = ContextSubject(row)
        for label in ["one", "two", "unused"] { subject.registerCounted(label) }
        await subject.inContext { _ in for label in ["one", "two"] { _ = subject.resolve(Counted.self, label) } }
        let end = ScopeEvent.ended(subject.scope, reason: row.eventReason, instances: 2)
        expect(subject.life, is: [.opened(subject.scope), end])
    }

    @Test(arguments: ContextRow.suspending.filter { !$0.isInTest })
    func `a context does not change surrounding contexts of other kinds`(_ row: ContextRow) async {
        let subject = ContextSubject(row), context = ScopeContext.shared
        let session = ScopeKind("a session around \(subject.id)", rank: 40, binding: .process)
        let job = ScopeKind("a job around \(subject.id)", rank: 30, binding: .execution)
        for kind in [session, job] { subject.resolver.register(name: .init(kind.name)) { Leaf() }.scoped(to: kind) }
        @Sendable func see() -> [ObjectIdentifier] {
            expect([context.currentID(for: session), context.currentID(for: job)], is: ["1", "2"])
            return [session, job].map { ObjectIdentifier(subject.resolver.resolve(Leaf.self, name: .init($0.name))) }
        }
        context.setCurrent(session, id: "1")
        defer { context.clear(session) }
        await Resolver.withScope(job, id: "2") {
            let before = see()
            await subject.inContext { _ in expect(see(), is: before) }
            expect(see(), is: before)
        }
        expect(context.currentID(for: session), is: "1")
    }

    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `a context has one instance, and one of the same id another`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form), name = subject.name()
        subject.registerCounted(options: { $0.implements(Any.self, name: name) })
        var instances: [Counted] = []
        for number in 1...2 {
            expect(subject.made.value, is: number - 1)
            instances.append(
                await subject.inContext { scope in
                    expect(subject.made.value, is: number - 1, "it is made for a call")
                    expect(subject.existing(), is: nil)
                    expect(scope.instanceCount, is: 0)
                    let first = subject.resolve()
                    for _ in 0..<10 {
                        expect(subject.resolve() === first)
                        expect(subject.resolve(Any.self) as? Counted === first)
                        expect(subject.existing() === first)
                    }
                    expect(scope.instanceCount, is: 1)
                    expect(!form.isOwn || scope.resolve(Counted.self, name: name) === first)
                    return first
                })
            expect(subject.made.value, is: number)
        }
        expect(instances[0] !== instances[1])
        expect(!form.isOwn || subject.optional(Any.self) == nil)
    }

    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `values, protocols and services with other names are kept too`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form)
        subject.register("value") { [made = subject.made] in made.increment() }
        subject.register("role") { Player() as any Role }
        subject.register("one") { "one" }
        subject.register("two") { "two" }
        subject.resolver.register(name: subject.name("elsewhere")) { Leaf() }.scope(.cached)
        await subject.inContext { scope in
            expect([subject.resolve(Int.self, "value"), subject.resolve(Int.self, "value")], is: [1, 1])
            let role = subject.resolve((any Role).self, "role")
            expect(subject.resolve((any Role).self, "role") === role)
            expect([subject.resolve(String.self, "one"), subject.resolve(String.self, "two")], is: ["one", "two"])
            expect(subject.optional(String.self, "three"), is: nil)
            _ = subject.resolve(Leaf.self, "elsewhere")
            expect(scope.instanceCount, is: 4)
        }
    }

    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `neither an error nor nil is kept`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form)
        subject.register { [made = subject.made] () throws -> Leaf? in
            switch made.increment() {
            case 1: throw Failure()
            case 2: nil
            default: Leaf()
            }
        }
        await subject.inContext { scope in
            for code in [ResolutionError.Code.factoryFailed, .factoryReturnedNil] {
                let error = #expect(throws: ResolutionError.self) { try subject.tryResolve(Leaf.self) }
                expect(error?.code, is: code)
                expect(scope.instanceCount, is: 0)
            }
            let leaf = try? subject.tryResolve(Leaf.self)
            expect(leaf != nil)
            expect(subject.existing(Leaf.self) === leaf)
        }
        expect(subject.made.value, is: 3)
    }

    @Test(arguments: ContextRow.all, ["registering again", "reset", "purge", "end of the resolver"])
    func `no open context keeps an instance that its resolver released`(_ row: ContextRow, _ way: String) async {
        let subject = ContextSubject(row), alive = subject.alive, made = subject.made, kind = subject.kind
        // No scope of another test has registered a service of this name.
        let name = subject.name("released")
        await subject.inContext { scope in
            let resolver = Box<Resolver?>(Resolver())
            weak let captured = resolver.value.map { resolver in
                let leaf = Leaf()
                @Sendable func make() -> Counted { made.counting(withExtendedLifetime(leaf) { Counted(alive) }) }
                let options = resolver.register(name: name) { make() }.scoped(to: kind)
                if way == "purge" { options.timeToLive(0, from: .creation) }
                return leaf
            }
            _ = resolver.value?.resolve(Counted.self, name: name)
            expect(alive.value, is: 1)
            switch way {
            case "registering again": resolver.value?.register(name: name) { Counted(alive) }.scoped(to: kind)
            case "reset": resolver.value?.reset(.scopes)
            case "purge": resolver.value?.purgeExpired()
            default: resolver.set(nil)
            }
            expect(alive.value, is: 0)
            expect(scope.instanceCount, is: 0)
            guard let resolver = resolver.value else { return expect(captured, is: nil) }
            let next = resolver.resolve(Counted.self, name: name)
            expect(resolver.resolve(Counted.self, name: name) === next, is: way != "purge")
        }
    }

    @Test(arguments: ContextRow.all, ContextForm.own)
    func `a second registration in a context replaces the first`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form), released = Box(0)
        subject.registerCounted(options: { $0.onRelease { _ in released.increment() } })
        await subject.inContext { scope in
            weak let first = subject.resolve()
            expect(first != nil)
            Resolver.registerScoped(Counted.self, name: subject.name(), scope: subject.kind) { Counted(subject.alive) }
            expect(first, is: nil)
            expect(released.value, is: 1)
            expect(subject.resolve() === subject.resolve())
            expect(scope.instanceCount, is: 1)
        }
        expect(subject.alive.value, is: 0)
    }

    @Test(arguments: ContextRow.all, ContextForm.own)
    func `a context's registration is found first and ends with it`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form), usual = Counted(Box(0))
        subject.resolver.register(name: subject.name()) { usual }.scope(.cached)
        subject.registerCounted()
        for _ in 0..<2 {
            for _ in 0..<3 { expect(subject.resolve() === usual) }
            await subject.inContext { _ in
                let own = subject.resolve()
                expect(own !== usual)
                for _ in 0..<3 { expect(subject.resolve() === own) }
                expect(Resolver.optional(Counted.self, name: subject.name()) === own)
            }
        }
        expect(subject.resolve() === usual)
        expect(subject.made.value, is: 2)
        expect(subject.alive.value, is: 0)
    }

    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `a property follows the context and holds nothing`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form)
        subject.registerCounted()
        let property = Inject<Counted>(name: subject.name(), container: subject.resolver)
        let before = property.wrappedValue
        expect(before == nil, is: form.isOwn)
        await subject.inContext { _ in
            expect(property.wrappedValue === subject.resolve())
            expect(property.wrappedValue !== before)
            expect(subject.alive.value, is: form.isOwn ? 1 : 2)
        }
        withExtendedLifetime(before) { expect(subject.alive.value, is: form.isOwn ? 0 : 1) }
        expect(property.wrappedValue == nil, is: form.isOwn)
    }
}
