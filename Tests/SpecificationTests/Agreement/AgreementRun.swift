import ConcurrencySupport
import Resolver

/// A run of a program on one set-up, on one thread.
final class AgreementRun: @unchecked Sendable {
    private protocol Listed: AnyObject {}

    private final class Item: Listed {
        let service: Int
        let number: Int
        var references: [Item] = []

        init(_ service: Int, _ number: Int) { (self.service, self.number) = (service, number) }
    }

    private struct Failure: Error {}

    private final class Own: ResolverScopeCache, @unchecked Sendable {}

    private final class PassingOn: ResolverScopeType {
        private let scope = ResolverScopeCache()

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { scope.resolve(registration: registration, resolver: resolver, args: args) }
        func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
            scope.existing(registration: registration, resolver: resolver)
        }
        func release(_ registration: AnyResolverRegistration) { scope.release(registration) }
        func reset() { scope.reset() }
    }

    private let setup: Setup
    private let base = Resolver()
    private let asked: Resolver
    /// The resolver that keeps the instances.
    private let keeping: Resolver
    private let own: any ResolverScopeType
    private var options: [Int: ResolverOptions<Item>] = [:]
    private var kept: [Item] = []
    private var answers: [String] = []
    private var itemCount = 0
    /// Ends programs whose factories never come to an end.
    private var fuel = 400
    private var depth = 0
    private var time = 0.0

    init(_ setup: Setup) {
        self.setup = setup
        own =
            switch setup {
            case .subclass: Own()
            case .passingOn: PassingOn()
            default: ResolverScopeCache()
            }
        keeping = setup.isIsolating ? Resolver(isolating: base) : base
        asked =
            switch setup {
            case .child: Resolver(child: base)
            case .grandchild: Resolver(child: Resolver(child: base))
            case .childOfIsolating: Resolver(child: keeping)
            default: keeping
            }
    }

    func answers(of program: AgreementProgram) -> [String] {
        let clock = ResolverClock { [weak self] in self?.time ?? 0 }
        (base.clock, keeping.clock) = (clock, clock)
        let observation = setup == .observed ? Resolver.observe { _ in } : nil
        if setup == .decorated { Resolver.decorate = { _ in } }
        if setup == .root { Resolver.root = base }
        let other = setup == .otherScope ? ScopeContext.shared.open(.request, id: "other") : nil
        for (number, service) in program.services.enumerated() {
            register(number, service)
            other?.register(Item.self, name: name(number)) { Item(number, -1) }
        }
        _ = try? run(program.steps, asked, for: nil)
        fuel = 50
        answers.append("end")
        drop()
        reset { $0.reset(.scopes) }
        // What is released from here on does nothing.
        fuel = 0
        other?.end()
        observation?.cancel()
        if setup == .decorated { Resolver.decorate = nil }
        if setup == .root { Resolver.root = Resolver.main }
        options = [:]
        base.reset(.all)
        return answers
    }

    private func name(_ number: Int) -> Resolver.Name { Resolver.Name("\(number)") }

    private func drop() { while let item = kept.popLast() { withExtendedLifetime(item) {} } }

    /// Calls `body` with the resolver that keeps the instances and the one that has the registrations.
    private func reset(_ body: (Resolver) -> Void) {
        if keeping !== base { body(keeping) }
        body(base)
    }

    // MARK: Registering

    private func register(_ number: Int, _ service: AgreementProgram.Service) {
        let options = base.register(name: name(number)) { [unowned self] resolver in
            if setup == .twice { _ = try make(number, service.factory, resolver) }
            return try make(number, service.factory, resolver)
        }
        self.options[number] = options
        // Before the completion, which would belong to the new factory otherwise.
        if setup == .update { options.registration.update { factory in { factory($0, $1) } } }
        set(service.lifetime, options)
        if let completion = service.completion { complete(options, completion) }
        if let hook = service.hook { add(hook, options) }
        if let time = service.timeToLive { options.timeToLive(time) }
        switch setup {
        case .alias: options.implements((any Listed).self, name: name(number))
        case .longTimeToLive: if service.timeToLive == nil { options.timeToLive(1e9) }
        case .hook: options.onRelease { _ in }
        case .completion: options.resolveProperties { _, _ in }
        default: break
        }
    }

    private func make(_ number: Int, _ steps: [AgreementProgram.Step], _ resolver: Resolver) throws -> Item? {
        answers.append("factory of \(number)")
        itemCount += 1
        let item = Item(number, itemCount)
        return try run(steps, resolver, for: item) ? item : nil
    }

    private func set(_ lifetime: AgreementProgram.Lifetime, _ options: ResolverOptions<Item>) {
        switch lifetime {
        case .graph: options.scope(.graph)
        case .unique: options.scope(.unique)
        case .cached: options.scope(.cached)
        case .container: options.scope(.container)
        case .shared: options.scope(.shared)
        case .own: options.scope(own)
        case .request: options.scoped(to: .request)
        case .session: options.scoped(to: .session)
        case .requiredRequest: options.scoped(to: .request, required: true)
        }
    }

    private func complete(_ options: ResolverOptions<Item>, _ steps: [AgreementProgram.Step]) {
        options.resolveProperties { [unowned self] resolver, item in
            answers.append("completion of \(item.service), \(item.number)")
            _ = try run(steps, resolver, for: item)
        }
    }

    private func add(_ hook: [AgreementProgram.Step], _ options: ResolverOptions<Item>) {
        options.onRelease { [unowned self] item in
            answers.append("release of \(item.service), \(item.number)")
            _ = try? run(hook, asked, for: nil)
        }
    }

    // MARK: Steps

    /// - Parameter item: the item that is being created or completed.
    /// - Returns: whether the factory returns the item.
    private func run(_ steps: [AgreementProgram.Step], _ resolver: Resolver, for item: Item?) throws -> Bool {
        depth += 1
        defer { depth -= 1 }
        for step in steps {
            fuel -= 1
            if fuel < 0 || depth > 40 { return true }
            switch step {
            case .resolve(let number): _ = try resolve(number, resolver, for: item)
            case .resolveAndKeep(let number):
                guard let found = try resolve(number, resolver, for: item), found !== item else { continue }
                if let item { item.references.append(found) } else if depth == 1 { kept.append(found) }
            case .existing(let number): answers.append("existing \(number): \(existing(number, resolver))")
            case .isRegistered(let number):
                let isRegistered =
                    setup == .alias
                    ? resolver.isRegistered((any Listed).self, name: name(number))
                    : resolver.isRegistered(Item.self, name: name(number))
                answers.append("isRegistered \(number): \(isRegistered)")
            case .register(let number, let service): register(number, service)
            case .unregister(let number):
                answers.append("unregister \(number): \(base.unregister(Item.self, name: name(number)))")
            case .complete(let number, let steps): options[number].map { complete($0, steps) }
            case .hook(let number, let steps): options[number].map { add(steps, $0) }
            case .reset(let number): reset { $0.reset(Item.self, name: name(number)) }
            case .resetScopes: base.reset(.scopes)
            case .resetLifetime(let lifetime): reset(lifetime)
            case .lifetime(let number, let lifetime): options[number].map { set(lifetime, $0) }
            case .purge: keeping.purgeExpired()
            case .drop: drop()
            case .wait(let seconds): time += seconds
            case .scope(let kind, let steps): if try !run(steps, in: kind, resolver, for: item) { return false }
            case .end(let kind): ScopeContext.shared.current(kind)?.end()
            case .attempt(let steps): do { _ = try run(steps, resolver, for: item) } catch { answers.append("caught") }
            case .fail: if item != nil { throw Failure() }
            case .giveNil: if item != nil { return false }
            }
        }
        return true
    }

    private func run(
        _ steps: [AgreementProgram.Step], in kind: ScopeKind, _ resolver: Resolver, for item: Item?
    ) throws -> Bool {
        if setup != .handle {
            return try Resolver.withScope(kind, id: "1") { () throws in try run(steps, resolver, for: item) }
        }
        let scope = ScopeContext.shared.open(kind, id: "1")
        defer { scope.end() }
        return try scope.run { () throws in try run(steps, resolver, for: item) }
    }

    private func reset(_ lifetime: AgreementProgram.Lifetime) {
        switch lifetime {
        case .cached: keeping.reset(scope: .cached)
        case .container: keeping.reset(scope: .container)
        case .shared: keeping.reset(scope: .shared)
        default: keeping.reset(scope: own)
        }
    }

    private func resolve(_ number: Int, _ resolver: Resolver, for item: Item?) throws -> Item? {
        do {
            let found =
                switch setup {
                case .alias: try resolver.tryResolve((any Listed).self, name: name(number)) as? Item
                case .root: try Resolver.tryResolve(Item.self, name: name(number))
                default: try resolver.tryResolve(Item.self, name: name(number))
                }
            answers.append("\(number): \(found?.number ?? 0)")
            return found
        } catch {
            answers.append("\(number): \(error.code)")
            if item != nil { throw error }
            return nil
        }
    }

    private func existing(_ number: Int, _ resolver: Resolver) -> String {
        let found =
            setup == .alias
            ? resolver.existing((any Listed).self, name: name(number)) as? Item
            : resolver.existing(Item.self, name: name(number))
        return found.map { "\($0.number)" } ?? "nil"
    }
}
