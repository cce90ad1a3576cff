import BenchmarkSupport
import Resolver

// Chains of factories, each of which needs the next, on stacks of several sizes. A chain is made or refused with `tooDeep`.

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

extension Recorder {
    fileprivate func makeChain(_ size: Int, _ scope: ResolverScope, _ stack: Int) {
        let resolver = Resolver()
        resolver.register(name: "0") { 0 }.scope(scope)
        for level in 1..<max(size, 2) {
            let next = Resolver.Name("\(level - 1)")
            resolver.register(name: .init("\(level)")) { r in try r.tryResolve(Int.self, name: next) + 1 }.scope(scope)
        }
        let last = Resolver.Name("\(max(size, 2) - 1)")
        var depth = 0, time = 0.0, isMade = false
        let peakBefore = Peak.residentBytes
        OwnThread.run(stackSize: stack) {
            // The first time makes what the thread keeps for as many frames. What was made once may be kept then.
            resolver.makeLast(last, self)
            resolver.reset(.scopes)
            let start = processorTime()
            (depth, isMade) = resolver.makeLast(last, self)
            time = processorTime() - start
        }
        require(!isMade || depth == max(size, 2), "made of \(depth)")
        require(isMade || depth < size, "refused")
        let label = stack < 1 << 20 ? "\(stack >> 10) KiB" : "\(stack >> 20) MiB"
        note("\(label): a factory", .nanoseconds, .flat, units: depth, total: time)
        note("\(label): the chain is \(isMade ? "made" : "refused")", .depth, .unjudged, total: Double(depth))
        if !isMade { note("\(label): a factory", .stackBytes, .flat, units: depth, total: Double(stack)) }
        if let peakBefore, let peak = Peak.residentBytes, isMade, stack == 1 << 30 {
            note(
                "\(label): peak resident, a factory", .bytes, .unjudged, units: depth, total: Double(peak - peakBefore))
        }
    }
}

extension Resolver {
    /// How deep it came, and whether the chain was made. Ends the process if there is another error.
    @discardableResult
    fileprivate func makeLast(_ name: Name, _ recorder: Recorder) -> (depth: Int, isMade: Bool) {
        do throws(ResolutionError) {
            return (try tryResolve(Int.self, name: name) + 1, true)
        } catch {
            recorder.require(error.code == .tooDeep, "\(error.code)")
            return (error.path.count, false)
        }
    }
}
