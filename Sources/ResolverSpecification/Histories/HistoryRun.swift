import ConcurrencySupport
import Foundation

/// The containers and registrations of a history, of the library or of the reference.
final class HistoryWorld: @unchecked Sendable {
    private let system: any SystemUnderTest
    private let lifetime: Lifetime
    /// A container to register on, one above it, and an isolating one.
    private let containers: [any ContainerUnderTest]
    private let instances = Counter()
    /// The number of instances that exist.
    let alive = Box(0)
    private let first = Box<(any RegistrationUnderTest<FirstItem>)?>(nil)
    private let second = Box<(any RegistrationUnderTest<SecondItem>)?>(nil)
    /// The number of hook runs for each instance.
    let released = Box<[Int: Int]>([:])
    /// All returned instances. Retained, so that weakly held ones stay.
    private let held = Box<[HistoryItem]>([])

    init(_ history: History, on system: any SystemUnderTest) {
        self.system = system
        let base = system.makeContainer()
        containers = [base, system.makeContainer(before: base), system.makeContainer(isolating: base)]
        lifetime = history.lifetime
        for container in containers { container.setDefaultLifetime(lifetime) }
        for (number, call) in history.setup.enumerated() {
            _ = perform(call, number)
            // This happens before the threads begin, because two calls are not one atomic step.
            if history.keepsForEachArgument { keepForEachArgument() }
        }
    }

    private func keepForEachArgument() {
        first.value?.keepForEachArgument()
        second.value?.keepForEachArgument()
    }

    /// Makes a call.
    func perform(_ call: History.Call, _ number: Int) -> Outcome {
        switch call {
        case .register(let kind, let isAsync):
            if kind == .first {
                first.set(register(FirstItem.self, containers[0], number, isAsync))
            } else {
                second.set(register(SecondItem.self, containers[0], number, isAsync))
            }
            return .done
        case .implement:
            first.value?.implement((any Duty).self, name: nil, line: UInt(1000 + number))
            return .done
        case .ask(let container, let kind, let function, let argument):
            let argument = argument.map { Argument($0) }
            let container = containers[container]
            return outcome {
                switch kind {
                case .first: try container.ask(function, FirstItem.self, name: nil, argument)
                case .second: try container.ask(function, SecondItem.self, name: nil, argument)
                case .duty: try container.ask(function, (any Duty).self, name: nil, argument) as? HistoryItem
                }
            }
        case .askAsync(let container, let kind):
            let container = containers[container]
            return outcome {
                try BlockingTask.wait {
                    switch kind {
                    case .first: try await container.askAsync(.resolveAsync, FirstItem.self, name: nil, nil)
                    case .second: try await container.askAsync(.resolveAsync, SecondItem.self, name: nil, nil)
                    case .duty:
                        try await container.askAsync(.resolveAsync, (any Duty).self, name: nil, nil) as? HistoryItem
                    }
                }
            }
        case .inRequest(let container, let kind):
            let container = containers[container]
            return outcome {
                kind == .first
                    ? try inRequest(FirstItem.self, container, number)
                    : try inRequest(SecondItem.self, container, number)
            }
        case .reset(let container, let part): containers[container].reset(part)
        case .resetEverywhere: system.reset(lifetime)
        }
        return .done
    }

    private func register<Item: HistoryItem>(
        _ type: Item.Type, _ container: any ContainerUnderTest, _ number: Int, _ isAsync: Bool
    ) -> any RegistrationUnderTest<Item> {
        let line = UInt(100 + number)
        let make: @Sendable () -> Item = { [instances, alive] in Item(number, instances.increment(), alive) }
        let options =
            isAsync
            ? container.registerAsync(type, name: nil, line: line) { _, _ in
                await Task.yield()
                return make()
            } : container.register(type, name: nil, line: line) { _, _ in make() }
        options.onRelease { [released] item in released.update { $0[item.number, default: 0] += 1 } }
        return options
    }

    /// Checks that a registration for one request is found in that request only, whatever other threads register.
    private func inRequest<Item: HistoryItem>(
        _ type: Item.Type, _ container: any ContainerUnderTest, _ number: Int
    ) throws -> HistoryItem? {
        var found: HistoryItem?
        try system.within(.request, id: "\(number)") {
            system.register(type, in: .request, line: UInt(100 + number)) { [instances, alive] in
                Item(number, instances.increment(), alive)
            }
            found = try container.ask(.tryResolve, type, name: nil, nil)
        }
        return found
    }

    private func outcome(_ body: () throws -> HistoryItem?) -> Outcome {
        do {
            guard let item = try body() else { return .nothing }
            held.update { $0.append(item) }
            return .instance(registration: item.registration, number: item.number)
        } catch {
            return .failed((error as? Failure)?.code ?? "\(error)")
        }
    }

    /// Releases all instances.
    func end() {
        system.reset(lifetime)
        for container in containers { container.reset(.all) }
        held.set([])
    }
}

/// Runs histories on a library, and searches for an order of the calls that gives the same results on the reference.
public struct HistoryCheck: Sendable {
    private let makeSystem: @Sendable () -> any SystemUnderTest

    /// Creates a check of the systems that `system` returns.
    public init(system: @escaping @Sendable () -> any SystemUnderTest) { makeSystem = system }

    /// Runs the history of a seed on threads.
    ///
    /// - Returns: the number of calls, and the problem if there is one.
    public func run(seed: UInt64) -> (calls: Int, problem: String?) {
        let system = makeSystem()
        let history = History(seed: seed, hasAsync: system.features.contains(.async))
        let world = HistoryWorld(history, on: system)
        let observed = HistoryCheck.observe(history, world)
        world.end()
        var problem: String?
        // A reset clears one service after the other, so each service has its own order.
        let unordered = [HistoryKind.first, .second].first { service in
            !HistoryOrder(history, observed.filter { $0.call.concerns(service) }).isThere
        }
        if let unordered {
            problem = "no order of the calls for the \(unordered) service is right"
        } else if let twice = world.released.value.first(where: { $0.value > 1 }) {
            problem = "the hook of instance \(twice.key) has run \(twice.value) times"
        } else if let missing = HistoryCheck.kept(observed).first(where: { world.released.value[$0] == nil }),
            history.lifetime != .shared, history.lifetime != .unique
        {
            problem = "the hook of instance \(missing) has not run, although it was kept"
        } else if world.alive.value > 0, !history.hasTasks {
            problem = "\(world.alive.value) instances are left"
        }
        let text = problem.map { problem in
            let lines = observed.sorted { $0.began < $1.began }.map { "\n  \($0)" }.joined()
            return "seed \(seed): \(problem)\n  \(history.lifetime), each argument: \(history.keepsForEachArgument), "
                + "setup: \(history.setup)\(lines)"
        }
        return (observed.count, text)
    }

    /// Returns the instances that were kept: several calls returned them. Instances from before their registrations had hooks
    /// are left out.
    private static func kept(_ observed: [Observation]) -> [Int] {
        var calls: [Int: [Observation]] = [:]
        var late: Set<Int> = []
        for call in observed {
            guard case .instance(let registration, let number) = call.outcome else { continue }
            calls[number, default: []].append(call)
            let registered = observed.first { $0.number == registration }?.ended ?? 0
            if call.began < registered { late.insert(number) }
        }
        return calls.keys.filter { number in
            let calls = calls[number] ?? []
            let firstEnd = calls.map(\.ended).min() ?? 0
            return !late.contains(number) && calls.contains { $0.began > firstEnd }
        }
    }

    private static func observe(_ history: History, _ world: HistoryWorld) -> [Observation] {
        let clock = Counter(), start = Rendezvous(history.threads.count), done = DispatchGroup()
        let observed = Box<[Observation]>([])
        for (thread, calls) in history.threads.enumerated() {
            done.enter()
            Thread.detachNewThread {
                start.arriveAndWait()
                for (index, call) in calls.enumerated() {
                    let number = 10 * (thread + 1) + index
                    let began = clock.increment()
                    let outcome = world.perform(call, number)
                    let observation = Observation(
                        call: call, number: number, thread: thread, began: began, ended: clock.increment(),
                        outcome: outcome
                    )
                    observed.update { $0.append(observation) }
                }
                done.leave()
            }
        }
        done.wait()
        return observed.value
    }
}
