import ConcurrencySupport

/// Generates programs from random numbers.
struct ProgramGenerator {
    private var random: RandomNumbers
    /// Whether some services of this program are made asynchronously.
    private let hasAsync: Bool

    init(seed: UInt64) {
        random = RandomNumbers(seed: seed)
        hasAsync = random.once(in: 3)
    }

    private mutating func below(_ limit: Int) -> Int { random.below(limit) }
    private mutating func once(in times: Int) -> Bool { random.once(in: times) }
    private mutating func any<Element>(_ elements: [Element]) -> Element { random.any(elements) }

    mutating func program() -> Program {
        let count = 2 + below(5)
        var program = Program(recipes: [], steps: [])
        for _ in 0..<count { program.recipes.append(recipe()) }
        for index in 0..<count { program.steps.append(.register(once(in: 4) ? below(4) : 0, recipe: index)) }
        for _ in 0..<(6 + below(18)) { program.steps.append(step(depth: 0)) }
        return program
    }

    private mutating func recipe() -> Recipe {
        var recipe = Recipe(kind: any(Kind.allCases))
        if once(in: 6) { recipe.name = "n" }
        if hasAsync { recipe.isAsync = once(in: 2) }
        if !once(in: 5) { recipe.lifetime = lifetime() }
        if once(in: 3) { recipe.alias = once(in: 6) ? any(Kind.allCases) : .duty }
        if once(in: 5) { recipe.timeToLive = (Double(below(4)), once(in: 2)) }
        if once(in: 5) { recipe.keepsForEachArgument = true }
        if !once(in: 3) { recipe.body = steps(1 + below(2), depth: 1) }
        recipe.isStrict = once(in: 2)
        if once(in: 8) { recipe.ending = any(Recipe.Ending.allCases) }
        if once(in: 3) { recipe.completion = steps(below(3), depth: 1) }
        while once(in: 3) { recipe.hooks.append(steps(below(3), depth: 1)) }
        if once(in: 6) { recipe.farewell = steps(1 + below(2), depth: 1) }
        return recipe
    }

    private mutating func steps(_ count: Int, depth: Int) -> [Step] { (0..<count).map { _ in step(depth: depth) } }

    private mutating func lifetime() -> Lifetime {
        once(in: 4) ? .context(any(ContextKind.allCases), isRequired: once(in: 3)) : any(Lifetime.plain)
    }

    private mutating func request(depth: Int) -> Step.Request {
        var request = Step.Request(kind: any(Kind.allCases))
        if depth == 0 || once(in: 4) { request.container = once(in: 3) ? below(5) : 0 }
        if once(in: 8) { request.name = "n" }
        if once(in: 4) { request.argument = below(3) }
        if request.argument != nil, once(in: 4), depth < 2 { request.use = steps(1, depth: depth + 1) }
        request.isForExisting = once(in: 8)
        if hasAsync, !request.isForExisting { request.isWaiting = once(in: 2) }
        return request
    }

    private mutating func step(depth: Int) -> Step {
        switch below(depth == 0 ? 40 : 34) {
        case 0..<17: .ask(request(depth: depth))
        case 17, 18: .register(below(4), recipe: below(6))
        case 19: .registerInContext(any(ContextKind.allCases), recipe: below(6))
        case 20, 21: .change(registration: below(8), change(depth: depth))
        case 22: .reset(below(4), once(in: 2) ? any([.scopes, .registrations, .all]) : .lifetime(any(Lifetime.plain)))
        case 23: .resetEverywhere(any(Lifetime.plain))
        case 24: .purge(below(4))
        case 25, 26: .wait(Double(1 + below(3)))
        case 27: .setCurrent(any(ContextKind.allCases), id: below(3))
        case 28: .clear(any(ContextKind.allCases))
        case 29: .endContext(below(4))
        case 30 where depth < 2: .within(any(ContextKind.allCases), steps(1 + below(4), depth: depth + 1))
        case 31 where depth < 2: .inside(context: below(4), steps(1 + below(3), depth: depth + 1))
        case 32: once(in: 2) ? .containerBefore(below(4)) : .containerIsolating(below(4))
        case 33: once(in: 2) ? .dropContainer(below(4)) : .letGo
        case 34: .container
        case 35: .add(below(4), to: below(4))
        case 36: .decorate(once(in: 2) ? nil : steps(below(2), depth: 1))
        case 37: .letGo
        default: .ask(request(depth: depth))
        }
    }

    private mutating func change(depth: Int) -> Step.Change {
        switch below(6) {
        case 0, 1: .lifetime(lifetime())
        case 2: .timeToLive(Double(below(4)), fromCreation: once(in: 2))
        // Only at the outermost level: in a callback, the arguments of the instance being made may or may not be known.
        case 3 where depth == 0: .forEachArgument
        case 4 where depth < 2: .completion(steps(1, depth: depth + 1))
        case 5 where depth < 2: .hook(steps(below(2), depth: depth + 1))
        default: .alias(.duty)
        }
    }
}
