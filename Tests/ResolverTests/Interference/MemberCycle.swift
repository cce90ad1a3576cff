import Resolver

/// A member of a dependency cycle. It refers to the next member.
final class Member: Role, Sendable {
    let number: Int
    private let neighbour: Box<Member?>

    init(_ number: Int, neighbour: Member? = nil) { (self.number, self.neighbour) = (number, Box(neighbour)) }

    var next: Member? { neighbour.value }

    func refer(to next: Member?) { neighbour.set(next) }
}

/// Services that refer to each other in a cycle: the first to the second, the last to the first.
struct MemberCycle: Sendable, CustomStringConvertible {
    /// How a member refers to the next one.
    enum Edge: Character {
        /// By a block of `resolveProperties`.
        case property = "p"
        /// As a parameter of its initializer.
        case dependency = "d"
    }

    enum Keeping: String, CaseIterable {
        case cached, application, container, shared, alias, isolated

        var scope: ResolverScope {
            switch self {
            case .application: .application
            case .container: .container
            case .shared: .shared
            case .cached, .alias, .isolated: .cached
            }
        }
    }

    let edges: [Edge], keeping: Keeping

    init(ofProperties count: Int, _ keeping: Keeping) { self.init(Array(repeating: .property, count: count), keeping) }

    init(_ edges: [Edge], _ keeping: Keeping) { (self.edges, self.keeping) = (edges, keeping) }

    var count: Int { edges.count }
    var description: String { "\(keeping) \(String(edges.map(\.rawValue)))" }

    /// Returns a resolver with these services.
    ///
    /// - Parameters:
    ///   - line: separates the singletons of one round from those of another.
    ///   - pause: called by a member before it resolves the next one.
    func resolver(line: UInt, pause: @escaping @Sendable (_ number: Int) -> Void) -> Resolver {
        let home = Resolver()
        for (number, edge) in edges.enumerated() {
            let next = (number + 1) % count
            let options = home.register(Member.self, name: name(number), line: line) { resolver in
                guard edge == .dependency else { return Member(number) }
                pause(number)
                return Member(number, neighbour: try resolve(next, from: resolver))
            }.scope(keeping.scope)
            if edge == .property {
                options.resolveProperties { resolver, member in
                    pause(number)
                    member.refer(to: try resolve(next, from: resolver))
                }
            }
            if keeping == .alias { options.implements(Role.self, name: name(number)) }
        }
        return keeping == .isolated ? Resolver(isolating: home) : home
    }

    func resolve(_ number: Int, from resolver: Resolver) throws(ResolutionError) -> Member? {
        guard keeping == .alias else { return try resolver.tryResolve(Member.self, name: name(number)) }
        return try resolver.tryResolve(Role.self, name: name(number)) as? Member
    }

    func resolveAsync(_ number: Int, from resolver: Resolver) async throws -> Member? {
        guard keeping == .alias else { return try await resolver.resolveAsync(Member.self, name: name(number)) }
        return try await resolver.resolveAsync(Role.self, name: name(number)) as? Member
    }

    private func name(_ number: Int) -> Resolver.Name { .init("\(number)") }

    /// Checks the results of one call per member, and then breaks the reference cycle of the members.
    func check(_ answers: [Int: Result<Member?, any Error>], _ failures: Failures) {
        var members: [Int: Member] = [:]
        for (number, answer) in answers.sorted(by: { $0.key < $1.key }) {
            switch answer {
            case .success(let member):
                if member?.number != number { failures.add("\(self): member \(number) is another") }
                members[number] = member
            case .failure(let error):
                let code = (error as? ResolutionError)?.code
                // Without properties, the object does not exist yet when the cycle returns to it.
                if code == .circularDependency, edges[number] != .property { continue }
                failures.add("\(self): member \(number) threw \(code.map { "\($0)" } ?? "\(error)")")
            }
        }
        for (number, member) in members {
            if member.next == nil { failures.add("\(self): member \(number) refers to none") }
            if let next = members[(number + 1) % count], member.next !== next {
                failures.add("\(self): member \(number) refers to another than the kept one")
            }
            var last: Member? = member
            for _ in edges { last = last?.next }
            if last !== member { failures.add("\(self): from member \(number) the cycle leads to another") }
        }
        for member in members.values { member.refer(to: nil) }
    }
}
