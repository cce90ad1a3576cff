import ConcurrencySupport

/// One run of a program on one library, and all its observable results.
///
/// Belongs to one thread.
final class ProgramRun: @unchecked Sendable {
    let system: any SystemUnderTest
    private let recipes: [Recipe]
    private(set) var trace: [String] = []
    /// The functions that the first run used, in order, for a second run with those that trap.
    private(set) var functions: [SyncFunction] = []
    private var trapping: [SyncFunction]?
    /// The failures of calls, by the index of their function in `functions`.
    private var failures: [(place: Int, failure: Failure)] = []

    private var containers: [any ContainerUnderTest] = []
    private var registrations: [any Modifiable] = []
    private var contexts: [any ContextUnderTest] = []
    var held: [Any] = []
    private var time = 0.0
    private var made = 0
    private(set) var alive = 0
    /// The number of steps that callbacks may still perform. It ends recursion between callbacks.
    var fuel = 0
    private var isOver = false

    /// - Parameter functions: the functions to resolve with; nil for `tryResolve` everywhere.
    init(_ program: Program, on system: any SystemUnderTest, functions: [SyncFunction]? = nil) {
        self.system = system
        recipes = program.recipes
        trapping = functions?.reversed()
        containers = [system.makeContainer()]
        if recipes.contains(where: \.isAsync) {
            runInTask(program.steps)
        } else {
            for (index, step) in program.steps.enumerated() {
                begin(index)
                held += perform([step], handed: nil)
            }
            finish()
        }
    }

    func begin(_ step: Int) {
        note("step \(step)")
        fuel = 14
    }

    func finish() {
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

    /// Performs the steps of a callback, while there is fuel.
    ///
    /// - Returns: the instances that were returned.
    func callBack(_ steps: [Step], handed: (any ContainerUnderTest)?) -> [Any] {
        (try? callBack(steps, handed: handed, isStrict: false)) ?? []
    }

    /// Performs the steps of a callback, while there is fuel.
    ///
    /// - Parameter isStrict: whether a failed call ends the callback.
    /// - Throws: the error of that call.
    private func callBack(_ steps: [Step], handed: (any ContainerUnderTest)?, isStrict: Bool) throws -> [Any] {
        var handedOut: [Any] = []
        for step in steps where fuel > 0 {
            fuel -= 1
            handedOut += try perform(step, handed: handed, isStrict: isStrict)
        }
        return handedOut
    }

    private func perform(_ steps: [Step], handed: (any ContainerUnderTest)?) -> [Any] {
        steps.flatMap { (try? perform($0, handed: handed, isStrict: false)) ?? [] }
    }

    func perform(_ step: Step, handed: (any ContainerUnderTest)?, isStrict: Bool) throws -> [Any] {
        guard case .ask(let request) = step else { return performOther(step, handed: handed) }
        do { return try ask(request, handed: handed, isStrict: isStrict) } catch  where !isStrict { return [] }
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
            // Containers that retain each other would leak, so only an older one becomes a child.
            let (child, parent) = (child % containers.count, index % containers.count)
            if child < parent { containers[parent].add(containers[child]) }
        case .dropContainer(let index) where containers.count > 1:
            let old = containers.remove(at: 1 + index % (containers.count - 1))
            withExtendedLifetime(old) {}
        case .register(let index, let recipe): register(recipe, in: container(index))
        case .registerInContext(let kind, let recipe):
            // Without a context it would be registered for the whole process.
            if system.currentID(kind) != nil { register(recipe, for: kind) }
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
            // A released instance may perform any step, also on the instances that are then held.
            let old = held
            held = []
            withExtendedLifetime(old) {}
        case .dropContainer, .inside, .ask: break
        }
        return handedOut
    }

    private func container(_ index: Int) -> any ContainerUnderTest { containers[index % containers.count] }

    // MARK: Resolving

    /// A call that resolves a service.
    struct Call {
        let request: Step.Request
        let container: any ContainerUnderTest
        let argument: Argument?
        let function: SyncFunction
        /// The number of calls before this one.
        let place: Int
        /// Whether the caller passes an error on.
        let isStrict: Bool
    }

    private struct Asking: KindVisitor {
        let call: Call

        func visit<Service>(_ face: Face<Service>) throws -> (Item, Any)? {
            try call.container.ask(call.function, Service.self, name: call.request.name, call.argument)
                .map { (face.item($0), $0) }
        }
    }

    /// - Throws: the error, after recording it.
    private func ask(_ request: Step.Request, handed: (any ContainerUnderTest)?, isStrict: Bool) throws -> [Any] {
        let call = call(request, handed: handed, isStrict: isStrict)
        do {
            return answered(call, by: try request.kind.accept(Asking(call: call)))
        } catch {
            throw failed(call, with: error)
        }
    }

    func call(_ request: Step.Request, handed: (any ContainerUnderTest)?, isStrict: Bool) -> Call {
        let container = request.container.map(container) ?? handed ?? containers[0]
        let isUsed = Box(false)
        let argument = request.argument.map { value in
            Argument(value) { [unowned self] in
                if request.use.isEmpty || isUsed.value || isOver { return }
                isUsed.set(true)
                note("use \(value)")
                _ = callBack(request.use, handed: nil)
            }
        }
        let function = request.isForExisting ? .existing : trapping?.popLast() ?? .tryResolve
        // A second run must resolve in the order of the first one.
        let place = functions.count
        if !request.isForExisting { functions.append(.tryResolve) }
        return Call(
            request: request, container: container, argument: argument, function: function, place: place,
            isStrict: isStrict)
    }

    /// - Returns: the instances that were returned.
    func answered(_ call: Call, by found: (item: Item, service: Any)?) -> [Any] {
        note("\(call.request): \(found.map { "\($0.item.number)" } ?? "nil")")
        if !call.request.isForExisting { functions[call.place] = found == nil ? .optional : .resolve }
        return found.map { [$0.service] } ?? []
    }

    /// - Returns: the error.
    func failed(_ call: Call, with error: any Error) -> any Error {
        guard let failure = error as? Failure else { return error }
        note("\(call.request): \(call.function == .optional ? "nil" : "\(failure)")")
        // `optional` returns nil for a failure of this service, but not for the failure of a dependency.
        let isOfPart = failures.contains { $0.place > call.place && $0.failure == failure }
        let areNil = ["notRegistered", "factoryReturnedNil", "scopeDeclined"]
        if !isOfPart, !call.isStrict, areNil.contains(failure.code) { functions[call.place] = .optional }
        // The library's own error is left out, because it may retain a container.
        failures.append((call.place, Failure(failure.code, failure.path)))
        return failure
    }

    // MARK: Registering

    /// Registers a recipe in a container, or for the current context of a kind.
    private func register(_ index: Int, in container: (any ContainerUnderTest)? = nil, for context: ContextKind? = nil)
    {
        if recipes.isEmpty { return }
        let number = index % recipes.count
        let recipe = recipes[number]
        let registering = Registering(run: self, recipe: recipe, number: number, container: container, context: context)
        modify(try? recipe.kind.accept(registering), recipe)
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

    func make<Service>(
        _ recipe: Recipe, _ number: Int, _ face: Face<Service>, _ container: (any ContainerUnderTest)?,
        _ argument: Argument?
    ) throws -> Service? {
        note("factory \(number)\(argument.map { "(\($0))" } ?? "")")
        return try make(recipe, number, face, of: callBack(recipe.body, handed: container, isStrict: recipe.isStrict))
    }

    func make<Service>(_ recipe: Recipe, _ number: Int, _ face: Face<Service>, of parts: [Any]) throws -> Service? {
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

    func isGone(_ number: Int, _ farewell: [Step]) {
        alive -= 1
        note("gone \(number)")
        _ = callBack(farewell, handed: nil)
    }
}
