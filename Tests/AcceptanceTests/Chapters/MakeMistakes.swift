import Resolver

/// What the container says when it cannot give what is asked for.
func makeMistakes() {
    section("Making mistakes")

    step("A name that is not registered")
    let unknown = quotedFailure { try Resolver.tryResolve((any PaymentGateway).self, name: "cash") }
    claim("the error says that it is not registered", unknown?.code == .notRegistered && unknown?.name == "cash")
    claim("it suggests the names that are", unknown?.suggestions.count == 2)
    claim("it names this line", unknown?.callSite?.description.contains("MakeMistakes.swift") == true)
    claim("optional() answers nil", Resolver.optional((any PaymentGateway).self, name: "cash") == nil)

    step("Two services that need each other to be made")
    let office = Resolver()
    office.register { resolver in try Director(resolver.tryResolve()) }.kept(by: .application)
    office.register { resolver in try Secretary(resolver.tryResolve()) }.kept(by: .application)
    let cycle = quotedFailure { try office.tryResolve(Director.self) }
    claim("the error says that it is a dependency cycle", cycle?.code == .circularDependency)
    let path = cycle?.path.map { $0.service.split(separator: ".").last }
    claim("the path goes from one to the other and back", path == ["Director", "Secretary", "Director"])
    claim("nothing was made", Journal.made == [])

    step("A factory that fails the first time")
    let bank = Resolver(), calls = Box(0)
    bank.register {
        if calls.increment() == 1 { throw ShopError.lineEngaged }
        return BankLine()
    }.kept(by: .cached)
    let engaged = quotedFailure { try bank.tryResolve(BankLine.self) }
    claim("the line is engaged", engaged?.underlying as? ShopError == .lineEngaged)
    claim("nothing was kept", bank.existing(BankLine.self) == nil)
    let line = try? bank.tryResolve(BankLine.self)
    claim("the second call got through", line != nil && calls.value == 2)
    claim("and is kept", bank.existing(BankLine.self) === line)
}

private final class Director { init(_ secretary: Secretary) {} }

private final class Secretary { init(_ director: Director) {} }

private final class BankLine {}
