import Resolver

/// The resolvers, scopes and products of one trial.
final class TrialWorld: Sendable {
    enum Outcome {
        case product(Product)
        case nothing
        case failed(ResolutionError.Code)
        case unexpected(String)
    }

    let trial: Trial
    let ledger = ProductLedger(), base = Resolver()
    let asked: Resolver, request: ScopeHandle
    let time = Box(0.0)
    /// Separates this trial's singletons from others.
    private let line: UInt
    private let key: CallingArgument?, scope: PassingScope
    let options = Box<ResolverOptions<Product>?>(nil), nested = Box<Outcome?>(nil)

    /// - Parameter number: unique in the process.
    init(_ trial: Trial, number: Int) {
        self.trial = trial
        line = UInt(number * 10)
        asked = trial.lifetime == .isolating ? Resolver(isolating: base) : base
        let interruption = ledger.interruption
        key =
            trial.hasArguments
            ? CallingArgument(onCompare: { interruption.reach(.equality) }, onHash: { interruption.reach(.hash) }) : nil
        scope = PassingScope(before: { interruption.reach(.scopeBefore) }, after: { interruption.reach(.scopeAfter) })
        let clock = ResolverClock { [time] in
            interruption.reach(.clock)
            return time.value
        }
        base.clock = clock
        asked.clock = clock
        Resolver.clock = ResolverClock { [time] in
            interruption.reach(.scopeClock)
            // A context also uses this clock for the times to live of its instances.
            interruption.reach(.clock)
            return time.value
        }
        Resolver.report = { _ in interruption.reach(.report) }
        Resolver.decorate = nil
        if trial.callback == .decorator { Resolver.decorate = { _ in interruption.reach(.decorator) } }
        ScopeContext.shared.setCurrent(.session, id: "\(number)")
        request = ScopeContext.shared.open(
            .request, id: "\(number)", expiresAfter: trial.callback == .scopeClock ? 10 : nil)
        base.register { Leaf() }.scope(.cached)
        base.register { OtherLeaf() }.scoped(to: .absent)
        options.set(register(1))
        if trial.lifetime == .alias { options.value?.implements((any Role).self) }
    }

    /// Registers the kind of factory that the action names, with the trial's lifetime.
    @discardableResult func register(_ number: Int, by action: Trial.Action = .registers) -> ResolverOptions<Product> {
        let options = addFactory(number, by: action, line + UInt(number))
        if action == .registersInAnotherScope { setAnotherScope(of: options) } else { setLifetime(of: options) }
        modify(options)
        return options
    }

    private func addFactory(_ number: Int, by action: Trial.Action, _ line: UInt) -> ResolverOptions<Product> {
        let ledger = ledger, callback = trial.callback
        if action == .registersNil { return base.register(Product.self, line: line) { nil } }
        if action == .registersOnMainActor {
            return base.register(Product.self, line: line) { @MainActor in Product(number, ledger) }
        }
        if action == .registersAsync || callback == .asyncFactory && number == 1 {
            return base.register(Product.self, line: line) { () async throws -> Product? in
                await Task.yield()
                ledger.interruption.reach(.asyncFactory)
                return Product(number, ledger)
            }
        }
        return base.register(Product.self, line: line) { (resolver: Resolver) throws -> Product? in
            ledger.interruption.reach(.factory)
            if number == 1, callback == .emptyFactory {
                ledger.interruption.reach(.emptyFactory)
                return nil
            }
            if callback == .observer { _ = resolver.optional(OtherLeaf.self) }
            return Product(number, ledger)
        }
    }

    private func setLifetime(of options: ResolverOptions<Product>) {
        let isOwn = trial.callback == .scopeBefore || trial.callback == .scopeAfter
        switch trial.lifetime {
        case .unique: options.scope(.unique)
        case .graph: options.scope(.graph)
        case .cached, .isolating, .alias: if isOwn { options.scope(scope) } else { options.scope(.cached) }
        case .container: options.scope(.container)
        case .shared: options.scope(.shared)
        case .application: options.scope(.application)
        case .request: options.scoped(to: .request)
        case .requiredRequest: options.scoped(to: .request, required: true)
        }
    }

    func setAnotherScope(of options: ResolverOptions<Product>) {
        options.scope(trial.anotherScopeKeeps ? .cached : .unique)
    }

    private func modify(_ options: ResolverOptions<Product>) {
        let ledger = ledger, callback = trial.callback
        if callback.isTimed { options.timeToLive(10) }
        if key != nil { options.scopeOnArguments(CallingArgument.self) }
        if callback == .properties { options.resolveProperties { _, _ in ledger.interruption.reach(.properties) } }
        options.onRelease { (product: Product) throws in
            ledger.release(product)
            ledger.interruption.reach(.onRelease)
            if callback == .report { throw Failure() }
        }
    }

    func registerScoped() {
        let ledger = ledger
        if trial.lifetime == .alias {
            Resolver.registerScoped((any Role).self, scope: .request, line: line + 2) { Product(2, ledger) }
                .onRelease { role in (role as? Product).map(ledger.release) }
        } else {
            Resolver.registerScoped(Product.self, scope: .request, line: line + 2) { Product(2, ledger) }
                .onRelease { product in ledger.release(product) }
        }
    }

    func resetScope() {
        switch trial.lifetime {
        case .isolating: asked.reset(scope: .cached)
        case .container: base.reset(scope: .container)
        case .shared: ResolverScope.shared.reset()
        case .application: ResolverScope.application.reset()
        case .request, .requiredRequest: base.reset(.scopes)
        case .unique, .graph: ResolverScope.graph.reset()
        case .cached, .alias: ResolverScope.cached.reset()
        }
        if !trial.callback.hasOwnScope { return }
        if trial.lifetime == .isolating { asked.reset(scope: scope) } else { scope.reset() }
    }

    /// Performs the trial's action, here or on another thread, which has finished when this returns.
    func act() {
        switch trial.hand {
        case .itself: perform()
        case .otherThread: RunningThread { self.request.run { self.perform() } }.join()
        }
    }

    private func perform() {
        switch trial.action {
        case .registers, .registersAsync, .registersOnMainActor, .registersNil, .registersInAnotherScope:
            register(2, by: trial.action)
        case .changesScope: options.value.map(setAnotherScope)
        case .registersScoped: registerScoped()
        case .resetsAll: base.reset(.all)
        case .resetsRegistrations: base.reset(.registrations)
        case .resetsScopes: asked.reset(.scopes)
        case .resetsItsScope: resetScope()
        case .resetsTheService: asked.reset(Product.self)
        case .unregisters: base.unregister(Product.self)
        case .replacesTheCache: base.cache = ResolverScopeCache()
        case .purgesExpired: asked.purgeExpired()
        case .resolvesTheSame: nested.set(ask(.tryResolve))
        case .resolvesAnother: _ = asked.optional(Leaf.self)
        case .endsTheRequest: request.end()
        case .clearsTheSession: ScopeContext.shared.clear(.session)
        case .addsAChild:
            let child = Resolver(), ledger = ledger
            child.register { Product(3, ledger) }.implements((any Role).self)
            base.add(child: child)
        case .dropsAnIsolatingResolver: _ = Resolver(isolating: base).optional(Leaf.self)
        }
    }

    /// Releases everything that outlives the resolvers.
    func end() {
        ledger.interruption.disarm()
        options.set(nil)
        nested.set(nil)
        request.end()
        ScopeContext.shared.clear(.session)
        ResolverScope.application.reset()
    }

    func answer() async -> Outcome { trial.call == .resolveAsync ? await askAsync() : ask(trial.call) }

    /// Makes a synchronous call for the service or for its alias.
    func ask(_ call: Trial.Call) -> Outcome {
        trial.lifetime == .alias ? ask(call, (any Role).self) : ask(call, Product.self)
    }

    private func ask<Service>(_ call: Trial.Call, _ type: Service.Type) -> Outcome {
        do {
            let service =
                switch call {
                case .tryResolve: try asked.tryResolve(type, args: key)
                case .existing: asked.existing(type)
                case .resolveAsync: preconditionFailure("the call is asynchronous")
                }
            return (service as? Product).map(Outcome.product) ?? .nothing
        } catch { return TrialWorld.failure(error) }
    }

    func askAsync() async -> Outcome {
        do {
            let product =
                trial.lifetime == .alias
                ? try await asked.resolveAsync((any Role).self, args: key) as? Product
                : try await asked.resolveAsync(Product.self, args: key)
            return product.map(Outcome.product) ?? .nothing
        } catch { return TrialWorld.failure(error) }
    }

    private static func failure(_ error: any Error) -> Outcome {
        (error as? ResolutionError).map { .failed($0.code) } ?? .unexpected("\(error)")
    }
}

extension TrialWorld.Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .product(let product): "an instance of registration \(product.registration)"
        case .nothing: "nil"
        case .failed(let code): "\(code)"
        case .unexpected(let text): text
        }
    }

    var product: Product? { if case .product(let product) = self { product } else { nil } }
}

extension ScopeKind {
    /// A kind whose contexts are never opened.
    fileprivate static let absent = ScopeKind("absent", rank: 7, binding: .execution)
}

extension Trial {
    /// Whether the scope that an action sets caches instances.
    var anotherScopeKeeps: Bool { ![.cached, .isolating, .alias].contains(lifetime) }
}

extension Trial.Callback {
    fileprivate var isTimed: Bool { [.clock, .secondClock, .onRelease, .report, .deinitializer].contains(self) }

    fileprivate var hasOwnScope: Bool { self == .scopeBefore || self == .scopeAfter }
}
