struct Mistake: Error {}

/// Registers a recipe of any type.
struct Registering: KindVisitor {
    let run: ProgramRun
    let recipe: Recipe
    let number: Int
    let container: (any ContainerUnderTest)?
    /// The kind of context for which alone it is registered, if any.
    let context: ContextKind?

    func visit<Service>(_ face: Face<Service>) -> any Modifiable {
        let line = UInt(100 + number)
        let make: @Sendable ((any ContainerUnderTest)?, Argument?) throws -> Service? = {
            [run, recipe, number] container, argument in
            try run.make(recipe, number, face, container, argument)
        }
        let options: any RegistrationUnderTest<Service>
        if let context {
            options = run.system.register(Service.self, in: context, line: line) { try make(nil, nil) }
        } else if let container, recipe.isAsync {
            options = container.registerAsync(Service.self, name: recipe.name, line: line) {
                [run, recipe, number] container, argument in
                try await run.makeWaiting(recipe, number, face, container, argument)
            }
        } else if let container {
            options = container.register(Service.self, name: recipe.name, line: line) { try make($0, $1) }
        } else {
            preconditionFailure("registered nowhere")
        }
        return Modifiers(options: options, face: face, line: line, isOfContext: context != nil)
    }
}

/// A registration of a type that is known by number.
protocol Modifiable {
    func apply(_ change: Step.Change, _ run: ProgramRun)
}

struct Modifiers<Service: Sendable>: Modifiable {
    let options: any RegistrationUnderTest<Service>
    let face: Face<Service>
    let line: UInt
    let isOfContext: Bool

    func apply(_ change: Step.Change, _ run: ProgramRun) {
        let face = face
        switch change {
        // A registration for a context alone has the lifetime of the context.
        case .lifetime(let lifetime): if !isOfContext { options.setLifetime(lifetime) }
        case .timeToLive(let seconds, let fromCreation): options.setTimeToLive(seconds, fromCreation: fromCreation)
        case .forEachArgument: options.keepForEachArgument()
        case .alias(let kind): _ = try? kind.accept(Implementing(options: options, line: line + 500))
        case .completion(let steps):
            options.complete { [unowned run] container, service, _ in
                run.note("completes \(face.item(service).number)")
                face.item(service).parts += run.callBack(steps, handed: container)
            }
        case .hook(let steps):
            options.onRelease { [unowned run] service in
                run.note("hook of \(face.item(service).number)")
                _ = run.callBack(steps, handed: nil)
            }
        }
    }

    private struct Implementing: KindVisitor {
        let options: any RegistrationUnderTest<Service>
        let line: UInt

        func visit<Other>(_ other: Face<Other>) { options.implement(Other.self, name: nil, line: line) }
    }
}
