import ConcurrencySupport
import Foundation
import Resolver

/// A random program: services, and steps that use them.
struct AgreementProgram: CustomStringConvertible {
    enum Lifetime: CaseIterable, Sendable {
        case graph, unique, cached, container, shared, own, request, session, requiredRequest
    }

    struct Service: Sendable {
        let lifetime: Lifetime
        let factory: [Step]
        let completion: [Step]?
        let hook: [Step]?
        let timeToLive: Double?
    }

    /// A step of a program, a factory, a completion or a hook. Services are numbers.
    indirect enum Step: Sendable {
        case resolve(Int), resolveAndKeep(Int), existing(Int), isRegistered(Int)
        case register(Int, Service), unregister(Int), lifetime(Int, Lifetime), complete(Int, [Step]), hook(Int, [Step])
        case reset(Int), resetScopes, resetLifetime(Lifetime), purge, drop, wait(Double)
        case scope(ScopeKind, [Step]), end(ScopeKind)
        /// Runs the steps until one throws.
        case attempt([Step])
        /// In a factory or a completion: throws, or returns nil.
        case fail, giveNil
    }

    private(set) var services: [Service] = []
    private(set) var steps: [Step] = []

    init(seed: UInt64) {
        var numbers = RandomNumbers(seed: seed)
        let count = 2 + numbers.below(4)
        services = (0..<count).map { _ in AgreementProgram.service(&numbers, count, depth: 0) }
        steps = (0..<8 + numbers.below(14)).map { _ in AgreementProgram.step(&numbers, count, depth: 0, isInCode: false)
        }
    }

    var count: Int { steps.count }
    /// Whether it resets what scopes and resolvers keep together, in the order of the instances.
    var resetsScopes: Bool { description.contains("resetScopes") }

    func without(_ index: Int) -> AgreementProgram {
        var program = self
        program.steps.remove(at: index)
        return program
    }

    var description: String {
        (services.map { "\($0)" } + steps.map { "\($0)" }).map { $0 + "\n" }.joined()
            .replacingOccurrences(of: "\(String(reflecting: Self.self)).", with: "")
    }

    private static func service(_ numbers: inout RandomNumbers, _ count: Int, depth: Int) -> Service {
        Service(
            lifetime: numbers.any(Lifetime.allCases), factory: code(&numbers, count, depth: depth + 1),
            completion: numbers.once(in: 3) ? code(&numbers, count, depth: depth + 1) : nil,
            hook: numbers.once(in: 3) ? code(&numbers, count, depth: depth + 2, isInCode: false) : nil,
            timeToLive: numbers.once(in: 8) ? Double(1 + numbers.below(6)) : nil)
    }

    private static func code(
        _ numbers: inout RandomNumbers, _ count: Int, depth: Int, isInCode: Bool = true
    ) -> [Step] {
        let length = numbers.once(in: 3) ? 0 : 1 + numbers.below(3)
        return (0..<length).map { _ in step(&numbers, count, depth: depth, isInCode: isInCode) }
    }

    private static func step(_ numbers: inout RandomNumbers, _ count: Int, depth: Int, isInCode: Bool) -> Step {
        let service = numbers.below(count), kind = numbers.any([ScopeKind.request, .request, .session])
        func inner(_ numbers: inout RandomNumbers, isInCode: Bool) -> [Step] {
            code(&numbers, count, depth: depth + 1, isInCode: isInCode)
        }
        // Deep programs only resolve.
        switch numbers.below(depth > 2 ? 15 : 42) {
        case 0..<8: return .resolveAndKeep(service)
        case 8..<12: return .resolve(service)
        case 12: return .existing(service)
        case 13: return .isRegistered(service)
        case 14: return isInCode ? numbers.any([.fail, .giveNil]) : .drop
        case 15, 16: return .register(service, AgreementProgram.service(&numbers, count, depth: depth + 1))
        case 17: return .unregister(service)
        case 18: return .complete(service, inner(&numbers, isInCode: true))
        case 19: return .hook(service, inner(&numbers, isInCode: false))
        case 20: return .reset(service)
        case 21: return .resetScopes
        case 22: return .resetLifetime(numbers.any([.cached, .container, .shared, .own]))
        case 23: return numbers.any([.purge, .drop])
        case 24: return .wait(Double(numbers.below(8)))
        case 25..<31: return .scope(kind, inner(&numbers, isInCode: isInCode))
        case 31: return .end(kind)
        case 32, 33: return .attempt(inner(&numbers, isInCode: isInCode))
        case 34, 35: return .lifetime(service, numbers.any(Lifetime.allCases))
        default: return .resolveAndKeep(service)
        }
    }
}
