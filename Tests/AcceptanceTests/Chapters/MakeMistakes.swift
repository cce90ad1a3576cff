import Resolver

/// What the container says when it cannot give what is asked for.
func makeMistakes() {
    section("Making mistakes")
    askForAnUnknownName()
    goRoundInCircles()
    callAnEngagedLine()
}

private func askForAnUnknownName() {
    step("A name that is not registered")
    do {
        _ = try Resolver.tryResolve((any PaymentGateway).self, name: "cash")
        claim("there is no such service", false)
    } catch {
        quote("\(error)")
        claim("the error says that it is not registered", error.code == .notRegistered && error.name == "cash")
        claim("it suggests the names that are", error.suggestions.count == 2)
        claim("it names this line", error.callSite?.description.contains("MakeMistakes.swift") == true)
    }
    claim("optional() answers nil", Resolver.optional((any PaymentGateway).self, name: "cash") == nil)
}

private final class Director {
    init(_ secretary: Secretary) {}
}

private final class Secretary {
    init(_ director: Director) {}
}

private func goRoundInCircles() {
    step("Two services that need each other to be made")
    let office = Resolver()
    office.register { resolver in try Director(resolver.tryResolve()) }.kept(by: .application)
    office.register { resolver in try Secretary(resolver.tryResolve()) }.kept(by: .application)
    do {
        _ = try office.tryResolve(Director.self)
        claim("there is no director", false)
    } catch {
        quote("\(error)")
        claim("the error says that it is a dependency cycle", error.code == .circularDependency)
        claim("the path goes from one to the other and back", error.path.map(\.service).map(shortName) == ring)
    }
    claim("nothing was made", Journal.shared.madeInThisStep == [])
}

private let ring = ["Director", "Secretary", "Director"]

private func shortName(_ service: String) -> String {
    String(service.split(separator: ".").last ?? "")
}

private final class BankLine {}

private func callAnEngagedLine() {
    step("A factory that fails the first time")
    let bank = Resolver()
    let calls = Box(0)
    bank.register {
        let call = calls.update { calls in
            calls += 1
            return calls
        }
        if call == 1 { throw ShopError.lineEngaged }
        return BankLine()
    }
    .kept(by: .cached)
    do {
        _ = try bank.tryResolve(BankLine.self)
        claim("the line is engaged", false)
    } catch {
        quote("\(error)")
        claim("the line is engaged", error.underlying as? ShopError == .lineEngaged)
    }
    claim("nothing was kept", bank.existing(BankLine.self) == nil)
    let line = try? bank.tryResolve(BankLine.self)
    claim("the second call got through", line != nil && calls.value == 2)
    claim("and is kept", bank.existing(BankLine.self) === line)
}
