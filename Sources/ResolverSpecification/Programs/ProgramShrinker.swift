/// Reduces a failing program to a minimal one.
enum ProgramShrinker {
    /// - Parameter isFailing: whether a program still fails.
    static func shrink(_ program: Program, while isFailing: (Program) -> Bool) -> Program {
        var smallest = program
        var attempts = 0
        search: while attempts < 4000 {
            for candidate in smaller(smallest) {
                attempts += 1
                if isFailing(candidate) {
                    smallest = candidate
                    continue search
                }
            }
            return smallest
        }
        return smallest
    }

    private static func smaller(_ program: Program) -> [Program] {
        var candidates = smaller(program.steps).map { Program(recipes: program.recipes, steps: $0) }
        for index in program.recipes.indices {
            candidates += smaller(program.recipes[index]).map { recipe in
                var smaller = program
                smaller.recipes[index] = recipe
                return smaller
            }
        }
        return candidates
    }

    /// Returns smaller lists: without one half, one quarter and so on, without one step, and with a smaller step.
    private static func smaller(_ steps: [Step]) -> [[Step]] {
        var candidates: [[Step]] = []
        var length = steps.count
        while length > 0 {
            for start in stride(from: 0, to: steps.count, by: length) {
                candidates.append(Array(steps[..<start] + steps[min(start + length, steps.count)...]))
            }
            length /= 2
        }
        for index in steps.indices {
            candidates += smaller(steps[index]).map { step in
                var changed = steps
                changed[index] = step
                return changed
            }
        }
        return candidates
    }

    private static func smaller(_ step: Step) -> [Step] {
        switch step {
        case .within(let kind, let steps): smaller(steps).map { .within(kind, $0) }
        case .inside(let context, let steps): smaller(steps).map { .inside(context: context, $0) }
        case .decorate(let steps?): smaller(steps).map { .decorate($0) }
        case .change(let number, .completion(let steps)):
            smaller(steps).map { .change(registration: number, .completion($0)) }
        case .change(let number, .hook(let steps)): smaller(steps).map { .change(registration: number, .hook($0)) }
        case .ask(let request): smaller(request).map { .ask($0) }
        default: []
        }
    }

    private static func smaller(_ request: Step.Request) -> [Step.Request] {
        var candidates = smaller(request.use).map { use in request.with { $0.use = use } }
        if request.argument != nil, request.use.isEmpty { candidates.append(request.with { $0.argument = nil }) }
        if request.name != nil { candidates.append(request.with { $0.name = nil }) }
        if request.isForExisting { candidates.append(request.with { $0.isForExisting = false }) }
        if request.isWaiting { candidates.append(request.with { $0.isWaiting = false }) }
        return candidates
    }

    private static func smaller(_ recipe: Recipe) -> [Recipe] {
        var candidates = smaller(recipe.body).map { body in recipe.with { $0.body = body } }
        if let completion = recipe.completion {
            candidates.append(recipe.with { $0.completion = nil })
            candidates += smaller(completion).map { steps in recipe.with { $0.completion = steps } }
        }
        if !recipe.hooks.isEmpty {
            candidates.append(recipe.with { $0.hooks.removeLast() })
            candidates += smaller(recipe.hooks[0]).map { steps in recipe.with { $0.hooks[0] = steps } }
        }
        candidates += smaller(recipe.farewell).map { steps in recipe.with { $0.farewell = steps } }
        if recipe.isAsync { candidates.append(recipe.with { $0.isAsync = false }) }
        if recipe.lifetime != nil { candidates.append(recipe.with { $0.lifetime = nil }) }
        if recipe.alias != nil { candidates.append(recipe.with { $0.alias = nil }) }
        if recipe.timeToLive != nil { candidates.append(recipe.with { $0.timeToLive = nil }) }
        if recipe.keepsForEachArgument { candidates.append(recipe.with { $0.keepsForEachArgument = false }) }
        if recipe.ending != .makes { candidates.append(recipe.with { $0.ending = .makes }) }
        if recipe.isStrict { candidates.append(recipe.with { $0.isStrict = false }) }
        if recipe.name != nil { candidates.append(recipe.with { $0.name = nil }) }
        return candidates
    }
}

extension Step.Request {
    fileprivate func with(_ change: (inout Step.Request) -> Void) -> Step.Request {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Recipe {
    fileprivate func with(_ change: (inout Recipe) -> Void) -> Recipe {
        var copy = self
        change(&copy)
        return copy
    }
}
