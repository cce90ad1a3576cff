import ConcurrencySupport

// The steps of a program that can wait: its outermost steps, and those of asynchronous factories.

extension ProgramRun {
    /// Performs the program's own steps in one task, on this thread.
    func runInTask(_ steps: [Step]) {
        try? BlockingTask.wait { [self] in
            for (index, step) in steps.enumerated() {
                begin(index)
                held += try await perform(step, waiting: nil, isStrict: false)
            }
            finish()
        }
    }

    /// Makes a service asynchronously.
    func makeWaiting<Service>(
        _ recipe: Recipe, _ number: Int, _ face: Face<Service>, _ container: any ContainerUnderTest,
        _ argument: Argument?
    ) async throws -> Service? {
        note("asynchronous factory \(number)\(argument.map { "(\($0))" } ?? "")")
        var parts: [Any] = []
        for step in recipe.body where fuel > 0 {
            fuel -= 1
            parts += try await perform(step, waiting: container, isStrict: recipe.isStrict)
        }
        return try make(recipe, number, face, of: parts)
    }

    private func perform(
        _ step: Step, waiting handed: (any ContainerUnderTest)?, isStrict: Bool
    ) async throws -> [Any] {
        switch step {
        case .ask(let request) where request.isWaiting:
            do {
                return try await askWaiting(request, handed: handed, isStrict: isStrict)
            } catch  where !isStrict {
                return []
            }
        case .within(let kind, let steps):
            let handedOut = Box<[Any]>([])
            try await system.withContext(kind, id: "within") { [self] in
                for step in steps {
                    try await handedOut.append(contentsOf: perform(step, waiting: handed, isStrict: false))
                }
            }
            return handedOut.value
        default:
            return try perform(step, handed: handed, isStrict: isStrict)
        }
    }

    private struct AskingAsync: KindVisitor {
        let call: Call
        let function: AsyncFunction

        func visit<Service>(_ face: Face<Service>) -> () async throws -> (item: Item, service: Any)? {
            {
                try await call.container.askAsync(function, Service.self, name: call.request.name, call.argument)
                    .map { (face.item($0), $0) }
            }
        }
    }

    /// - Throws: the error, after recording it.
    private func askWaiting(
        _ request: Step.Request, handed: (any ContainerUnderTest)?, isStrict: Bool
    ) async throws -> [Any] {
        let call = call(request, handed: handed, isStrict: isStrict)
        let function: AsyncFunction = call.function == .optional ? .optionalAsync : .resolveAsync
        do {
            return answered(call, by: try await request.kind.accept(AskingAsync(call: call, function: function))())
        } catch {
            throw failed(call, with: error)
        }
    }
}
