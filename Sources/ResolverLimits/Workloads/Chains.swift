import BenchmarkSupport
import ConcurrencySupport
import Resolver

// Chains of factories, each of which needs the next, on stacks of several sizes. A chain is made, or refused with `tooDeep`.

extension Workload {
    static func chain(_ name: String, _ scope: ResolverScope) -> Workload {
        Workload(
            "chain-\(name)", "Chains of factories, scope .\(name)", unit: "factories", upTo: 100_000
        ) { recorder, size in
            for stack in stacks { recorder.makeChain(size, scope, stack) }
        }
    }

    /// The last one suffices for all chains.
    private static let stacks = [512 << 10, 1 << 20, 8 << 20, 1 << 30]
}

extension Workload {
    /// Asynchronous factories use no stack. Ten thousand of them may be nested.
    static let asyncChain = Workload(
        "chain-async", "Chains of asynchronous factories", unit: "factories", upTo: 16_000, isConcurrent: true
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register(name: "0") { () async -> Int in 0 }.scope(.unique)
        for level in 1..<max(size, 2) {
            let next = Resolver.Name("\(level - 1)")
            resolver.register(name: .init("\(level)")) { r async throws -> Int in
                try await r.resolveAsync(Int.self, name: next) + 1
            }.scope(.unique)
        }
        let last = Resolver.Name("\(max(size, 2) - 1)")
        let start = processorTimeOfAllThreads()
        let outcome = waitForTask { () async -> Result<Int, ResolutionError> in
            do {
                return .success(try await resolver.resolveAsync(Int.self, name: last) + 1)
            } catch let error as ResolutionError {
                return .failure(error)
            } catch {
                recorder.end(with: "\(error)")
            }
        }
        recorder.noteChain(outcome, of: size, "tasks", time: processorTimeOfAllThreads() - start)
    }
}

extension Workload {
    static let brokenChain = failingChain("broken", "Chains of factories whose last one needs what is missing") {
        resolver in
        try resolver.tryResolve(Int.self, name: "missing")
    }

    static let ring = failingChain("ring", "Chains of factories whose last one needs the first") { resolver in
        try resolver.tryResolve(Int.self, name: "first")
    }

    /// The error has the whole path. Its message has the beginning and the end.
    private static func failingChain(
        _ name: String, _ title: String, _ last: @escaping @Sendable (Resolver) throws -> Int
    ) -> Workload {
        Workload("chain-\(name)", title, unit: "factories", upTo: 20_000) { recorder, size in
            let resolver = Resolver()
            resolver.register(name: "0") { try last($0) }.scope(.unique)
            for level in 1..<size {
                let next = Resolver.Name("\(level - 1)")
                resolver.register(name: .init("\(level)")) { try $0.tryResolve(Int.self, name: next) }.scope(.unique)
            }
            let next = Resolver.Name("\(size - 1)")
            resolver.register(name: "first") { try $0.tryResolve(Int.self, name: next) }.scope(.unique)
            Threads.withStack(of: 1 << 30) {
                var outcome = Result<Int, ResolutionError>.success(0)
                recorder.measure("failed: a factory", units: size, bytes: .unjudged) {
                    outcome = resolver.make("first")
                }
                guard case .failure(let error) = outcome else { recorder.end(with: "made") }
                recorder.require(error.path.count == size + 2, "a path of \(error.path.count)")
                var characters = 0
                recorder.measure("the message, a factory", units: size) { characters = error.description.utf8.count }
                recorder.note("length of the message", .characters, .flat, total: Double(characters))
            }
        }
    }
}

extension Recorder {
    fileprivate func makeChain(_ size: Int, _ scope: ResolverScope, _ stack: Int) {
        let resolver = Resolver()
        resolver.register(name: "0") { 0 }.scope(scope)
        for level in 1..<max(size, 2) {
            let next = Resolver.Name("\(level - 1)")
            resolver.register(name: .init("\(level)")) { r in try r.tryResolve(Int.self, name: next) + 1 }.scope(scope)
        }
        let last = Resolver.Name("\(max(size, 2) - 1)")
        var outcome = Result<Int, ResolutionError>.success(0), time = 0.0
        Threads.withStack(of: stack) {
            // The first time makes the frames that the thread then keeps, and one-time objects.
            _ = resolver.make(last)
            resolver.reset(.scopes)
            let start = processorTime()
            outcome = resolver.make(last)
            time = processorTime() - start
        }
        let label = stack < 1 << 20 ? "\(stack >> 10) KiB" : "\(stack >> 20) MiB"
        noteChain(outcome, of: size, label, time: time, stack: stack)
    }

    /// - Parameter outcome: the number of factories that have run, or the error.
    fileprivate func noteChain(
        _ outcome: Result<Int, ResolutionError>, of size: Int, _ label: String, time: Double, stack: Int? = nil
    ) {
        switch outcome {
        case .success(let depth):
            require(depth == max(size, 2), "a chain of \(size) is made of \(depth)")
            note("\(label), made: depth", .depth, .unjudged, total: Double(depth))
            note("\(label), made: a factory", .nanoseconds, .flat, units: depth, total: time)
        case .failure(let error):
            require(error.code == .tooDeep, "\(error.code)")
            let depth = error.path.count
            note("\(label), refused: depth", .depth, .unjudged, total: Double(depth))
            note("\(label), refused: a factory", .nanoseconds, .flat, units: depth, total: time)
            guard let stack else { return }
            note("\(label), refused: a factory", .stackBytes, .flat, units: depth, total: Double(stack))
        }
    }
}

extension Resolver {
    fileprivate func make(_ name: Name) -> Result<Int, ResolutionError> {
        do throws(ResolutionError) {
            return .success(try tryResolve(Int.self, name: name) + 1)
        } catch {
            return .failure(error)
        }
    }
}
