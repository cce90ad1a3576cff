import Resolver
import ResolverDiagnostics
import Testing

/// Random wirings, compared with a checker that follows every path.
@Suite struct RandomWiringTests {
    final class Service: Sendable {}

    /// Each lifetime with its rank, which is nil if an instance lives as long as its consumer.
    private static let lifetimes: [(rank: Int?, kind: ScopeKind?, scope: ResolverScope)] = [
        (nil, nil, .graph), (nil, nil, .unique), (.max, nil, .cached), (.max, nil, .application),
        (ScopeKind.request.rank, .request, .unique), (ScopeKind.session.rank, .session, .unique),
    ]

    struct Node {
        /// An index in the lifetimes.
        var lifetime = 0
        var isAsync = false
        var isOfActor = false
        /// Numbers of services. Some are not registered.
        var needs: [Int]

        var rank: Int? { RandomWiringTests.lifetimes[lifetime].rank }
        var isOfContext: Bool { RandomWiringTests.lifetimes[lifetime].kind != nil }
    }

    private func wiring(_ random: inout RandomNumbers) -> [Node] {
        let count = 1 + random.below(7)
        return (0..<count).map { _ in
            Node(
                lifetime: random.below(Self.lifetimes.count), isAsync: random.below(4) == 0,
                isOfActor: random.below(4) == 0, needs: (0..<random.below(3)).map { _ in random.below(count + 1) })
        }
    }

    private func resolver(of nodes: [Node]) -> Resolver {
        let resolver = Resolver()
        for (number, node) in nodes.enumerated() {
            let name = Resolver.Name("\(number)")
            let options =
                node.isAsync
                ? resolver.register(name: name) { () async in Service() }
                : node.isOfActor
                    ? resolver.register(name: name) { @MainActor in Service() }
                    : resolver.register(name: name) { Service() }
            let lifetime = Self.lifetimes[node.lifetime]
            if let kind = lifetime.kind { options.scoped(to: kind) } else { options.scope(lifetime.scope) }
            for need in node.needs { options.needs(Service.self, name: .init("\(need)")) }
        }
        return resolver
    }

    /// Each problem as its kind, its service, and the last service of its path.
    private func expected(_ nodes: [Node]) -> (problems: Set<String>, circular: Set<Int>) {
        var problems: Set<String> = []
        for (number, node) in nodes.enumerated() {
            for need in node.needs {
                guard need < nodes.count else {
                    problems.insert("missing \(number) \(need)")
                    continue
                }
                if node.isAsync { continue }
                if nodes[need].isAsync {
                    problems.insert("requiresAsync \(number) \(need)")
                } else if nodes[need].isOfActor, !node.isOfActor {
                    problems.insert("wrongIsolation \(number) \(need)")
                }
            }
            if let rank = node.rank {
                for captive in captives(of: number, rank, nodes, seen: [number]) where captive != number {
                    problems.insert("captive \(number) \(captive)")
                }
            }
        }
        return (problems, Set(nodes.indices.filter { reaches($0, from: $0, nodes, seen: []) }))
    }

    private func captives(of number: Int, _ rank: Int, _ nodes: [Node], seen: Set<Int>) -> Set<Int> {
        var found: Set<Int> = []
        for need in nodes[number].needs where need < nodes.count && !seen.contains(need) {
            if let other = nodes[need].rank {
                if nodes[need].isOfContext, other < rank { found.insert(need) }
            } else {
                found.formUnion(captives(of: need, rank, nodes, seen: seen.union([need])))
            }
        }
        return found
    }

    private func reaches(_ goal: Int, from number: Int, _ nodes: [Node], seen: Set<Int>) -> Bool {
        nodes[number].needs.contains { need in
            need < nodes.count
                && (need == goal || !seen.contains(need) && reaches(goal, from: need, nodes, seen: seen.union([need])))
        }
    }

    private func reported(_ resolver: Resolver) -> [WiringProblem] {
        do { return try resolver.verify().problems } catch let report as WiringReport { return report.problems } catch {
            Issue.record("\(error)")
            return []
        }
    }

    private func numbers(_ problem: WiringProblem) -> [Int] {
        problem.path.compactMap { $0.split(separator: "\"").last.flatMap { Int($0) } }
    }

    @Test(arguments: 0..<1000) func `a random wiring has the problems that the reference finds`(_ seed: Int) {
        var random = RandomNumbers(seed: UInt64(seed))
        let nodes = wiring(&random)
        let (expected, circular) = expected(nodes)
        let problems = reported(resolver(of: nodes))
        var found: Set<String> = []
        var inCycles: [Int] = []
        for problem in problems {
            let path = numbers(problem)
            for (one, next) in zip(path, path.dropFirst()) {
                expect(nodes[one].needs.contains(next), "each step of a path is a need: \(nodes)")
            }
            if problem.kind == .circularDependency {
                expect(path.first, is: path.last)
                inCycles += path.dropLast()
            } else {
                found.insert("\(problem.kind) \(path[0]) \(path[path.count - 1])")
            }
        }
        expect(found, is: expected, "\(nodes)")
        expect(Set(inCycles).isSubset(of: circular) && inCycles.count == Set(inCycles).count, "\(nodes)")
        // The wiring has no cycle without the reported services.
        let others = nodes.map { node in Node(needs: node.needs.filter { !inCycles.contains($0) }) }
        expect(!others.indices.contains { !inCycles.contains($0) && reaches($0, from: $0, others, seen: []) })
    }
}
