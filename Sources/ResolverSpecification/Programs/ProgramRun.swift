/// One run of a program on one library, and all that can be observed of it.
///
/// Belongs to one thread.
final class ProgramRun: @unchecked Sendable {
    let system: any SystemUnderTest
    private let recipes: [Recipe]
    private(set) var trace: [String] = []
    /// How the first run was answered, in its order: for a second run by the doors that trap.
    private(set) var doors: [Door] = []
    private var trapping: [Door]?
    /// What calls have failed with, by the place of their doors.
    private var failures: [(place: Int, failure: Failure)] = []

    private var containers: [any ContainerUnderTest] = []
    private var registrations: [any Modifiable] = []
    private var contexts: [any ContextUnderTest] = []
    private var held: [Any] = []
    private var time = 0.0
    private var made = 0
    private(set) var alive = 0
    /// How many steps callbacks may still do: they call each other.
    private var fuel = 0
    private var isOver = false

    /// - Parameter doors: those by which it asks; nil for `tryResolve` everywhere.
    init(_ program: Program, on system: any SystemUnderTest, doors: [Door]? = nil) {
        self.system = system
        recipes = program.recipes
        trapping = doors?.reversed()
        containers = [system.makeContainer()]
        for (index, step) in program.steps.enumerated() {
            note("step \(index)")
            fuel = 14
            held += perform([step], handed: nil)
        }
        finish()
    }

    private func finish() {
        note("end")
        (fuel, isOver) = (0, true)
        system.decorate(nil)
        for context in contexts.reversed() { context.end() }
        for lifetime in Lifetime.plain { system.reset(lifetime) }
        (contexts, registrations, failures) = ([], [], [])
        while !containers.isEmpty { containers.removeLast() }
        while let last = held.popLast() { (last as? Item)?.parts = [] }
        system.setTime(0)
        note("\(alive) left")
    }

    func note(_ line: String) { trace.append(line) }

    // MARK: Steps

    /// Does what a callback does.
    ///
    /// - Returns: what it was handed out.
    func callBack(_ steps: [Step], handed: (any ContainerUnderTest)?) -> [Any] {
        steps.flatMap { step -> [Any] in
            guard fuel > 0 else { return [] }
            fuel -= 1
            return perform([step], handed: handed)
        }
    }

    private func perform(_ steps: [Step], handed: (any ContainerUnderTest)?) -> [Any] {
        steps.flatMap { step -> [Any] in
            if case .ask(let request) = step { return (try? ask(request, handed: handed)) ?? [] }
            return performOther(step, handed: handed)
        }
    }

    private func performOther(_ step: Step, handed: (any ContainerUnderTest)?) -> [Any] {
        var handedOut: [Any] = []
        switch step {
        case .container: containers.append(system.makeContainer())
        case .containerBefore(let index):
            let parent = container(index)
            containers.append(system.makeContainer(before: parent))
        case .containerIsolating(let index):
            let parent = container(index)
            containers.append(system.makeContainer(isolating: parent))
        case .add(let child, let index):
            // Containers that hold each other would never go, so only an older one becomes a child.
            let (child, parent) = (child % containers.count, index % containers.count)
            if child < parent { containers[parent].add(containers[child]) }
        case .dropContainer(let index) where containers.count > 1:
            let old = containers.remove(at: 1 + index % (containers.count - 1))
            withExtendedLifetime(old) {}
        case .register(let index, let recipe): register(recipe, in: container(index))
        case .registerInContext(let kind, let recipe): register(recipe, in: kind)
        case .change(let index, let change):
            if !registrations.isEmpty { registrations[index % registrations.count].apply(change, self) }
        case .reset(let index, let part): container(index).reset(part)
        case .resetEverywhere(let lifetime): system.reset(lifetime)
        case .purge(let index): container(index).purgeExpired()
        case .wait(let seconds):
            time += seconds
            system.setTime(time)
        case .setCurrent(let kind, let id): contexts.append(system.setCurrent(kind, id: "\(id)"))
        case .clear(let kind): system.clear(kind)
        case .endContext(let index): if !contexts.isEmpty { contexts[index % contexts.count].end() }
        case .within(let kind, let steps):
            system.withContext(kind, id: "within") { handedOut += perform(steps, handed: handed) }
        case .inside(let index, let steps) where !contexts.isEmpty:
            contexts[index % contexts.count].run { handedOut += perform(steps, handed: handed) }
        case .decorate(let steps?):
            system.decorate { [unowned self] _ in
                note("decorate")
                _ = callBack(steps, handed: nil)
            }
        case .decorate(nil): system.decorate(nil)
        case .letGo:
            // What goes may do anything, also with what is held by then.
            let old = held
            held = []
            withExtendedLifetime(old) {}
        case .dropContainer, .inside, .ask: break
        }
        return handedOut
    }

    private func container(_ index: Int) -> any ContainerUnderTest { containers[index % containers.count] }

    // MARK: Asking

    private struct Asking: KindVisitor {
        let container: any ContainerUnderTest
        let door: Door
        let name: String?
        let argument: Argument?

        func visit<Service>(_ face: Face<Service>) throws -> (Item, Any)? {
            try container.ask(door, Service.self, name: name, argument).map { (face.item($0), $0) }
        }
    }

    /// - Parameter isStrict: whether the caller passes an error on.
    /// - Throws: the error, after noting it.
    func ask(
        _ request: Step.Request, handed: (any ContainerUnderTest)?, isStrict: Bool = false
    ) throws -> [Any] {
        let container = request.container.map(container) ?? handed ?? containers[0]
        let isUsed = Locked(false)
        let argument = request.argument.map { value in
            Argument(value) { [unowned self] in
                if request.use.isEmpty || isUsed.value || isOver { return }
                isUsed.value = true
                note("use \(value)")
                _ = callBack(request.use, handed: nil)
            }
        }
        let door = request.isForExisting ? .existing : trapping?.popLast() ?? .tryResolve
        // A second run has to ask in the order of the first.
        let place = doors.count
        if !request.isForExisting { doors.append(.tryResolve) }
        do {
            let asking = Asking(container: container, door: door, name: request.name, argument: argument)
            let found = try request.kind.accept(asking)
            note("\(request): \(found.map { "\($0.0.number)" } ?? "nil")")
            if !request.isForExisting { doors[place] = found == nil ? .optional : .resolve }
            return found.map { [$0.1] } ?? []
        } catch let failure as Failure {
            note("\(request): \(door == .optional ? "nil" : "\(failure)")")
            // `optional` answers what goes for this service by nil, and not what a part has failed with.
            let isOfPart = failures.contains { $0.place > place && $0.failure == failure }
            let areNil = ["notRegistered", "factoryReturnedNil", "scopeDeclined"]
            if !isOfPart, !isStrict, areNil.contains(failure.code) { doors[place] = .optional }
            // Without the library's own error, which may hold a container.
            failures.append((place, Failure(failure.code, failure.path)))
            throw failure
        }
    }

    // MARK: Registering

    private struct Registering: KindVisitor {
        let run: ProgramRun
        let recipe: Recipe
        let number: Int
        let container: (any ContainerUnderTest)?
        let context: ContextKind?

        func visit<Service>(_ face: Face<Service>) -> any Modifiable {
            let line = UInt(100 + number)
            let run = run
            let recipe = recipe
            let number = number
            if let context {
                return Modifiers(
                    options: run.system.register(Service.self, in: context, line: line) {
                        try run.make(recipe, number, face, nil, nil)
                    }, face: face, line: line, isOfContext: true)
            }
            guard let container else { preconditionFailure("registered nowhere") }
            return Modifiers(
                options: container.register(Service.self, name: recipe.name, line: line) { container, argument in
                    try run.make(recipe, number, face, container, argument)
                }, face: face, line: line, isOfContext: false)
        }
    }

    private func register(_ index: Int, in container: any ContainerUnderTest) {
        if recipes.isEmpty { return }
        let number = index % recipes.count
        modify(
            try? recipes[number].kind.accept(
                Registering(run: self, recipe: recipes[number], number: number, container: container, context: nil)),
            recipes[number])
    }

    private func register(_ index: Int, in kind: ContextKind) {
        // Without a context it would be registered for the whole process.
        guard system.currentID(kind) != nil, !recipes.isEmpty else { return }
        let number = index % recipes.count
        var recipe = recipes[number]
        recipe.lifetime = nil
        modify(
            try? recipe.kind.accept(
                Registering(run: self, recipe: recipe, number: number, container: nil, context: kind)), recipe)
    }

    private func modify(_ new: (any Modifiable)?, _ recipe: Recipe) {
        guard let new else { return }
        registrations.append(new)
        if let lifetime = recipe.lifetime { new.apply(.lifetime(lifetime), self) }
        if let alias = recipe.alias { new.apply(.alias(alias), self) }
        if let time = recipe.timeToLive { new.apply(.timeToLive(time.seconds, fromCreation: time.fromCreation), self) }
        if recipe.keepsForEachArgument { new.apply(.forEachArgument, self) }
        if let completion = recipe.completion { new.apply(.completion(completion), self) }
        for hook in recipe.hooks { new.apply(.hook(hook), self) }
    }

    fileprivate func make<Service>(
        _ recipe: Recipe, _ number: Int, _ face: Face<Service>, _ container: (any ContainerUnderTest)?,
        _ argument: Argument?
    ) throws -> Service? {
        note("factory \(number)\(argument.map { "(\($0))" } ?? "")")
        let parts = try doStrictly(recipe.body, recipe.isStrict, container)
        switch recipe.ending {
        case .returnsNil: return nil
        case .fails: throw Mistake()
        case .makes: break
        }
        made += 1
        alive += 1
        note("makes \(made) by \(number)")
        let service = face.make(made, self, recipe.farewell)
        if !isOver { face.item(service).parts = parts }
        return service
    }

    fileprivate func doStrictly(
        _ steps: [Step], _ isStrict: Bool, _ container: (any ContainerUnderTest)?
    ) throws -> [Any] {
        var parts: [Any] = []
        for step in steps {
            if case .ask(let request) = step, isStrict {
                guard fuel > 0 else { break }
                fuel -= 1
                parts += try ask(request, handed: container, isStrict: true)
            } else {
                parts += callBack([step], handed: container)
            }
        }
        return parts
    }

    func isGone(_ number: Int, _ farewell: [Step]) {
        alive -= 1
        note("gone \(number)")
        _ = callBack(farewell, handed: nil)
    }
}

struct Mistake: Error {}

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
        // What is registered for a context alone has its lifetime.
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
