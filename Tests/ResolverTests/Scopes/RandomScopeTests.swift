import ConcurrencySupport
import Resolver
import Testing

/// Scopes with random rules, whose answers do not depend on whether the factory is asynchronous.
@Suite struct RandomScopeTests {
    /// What a scope asks of a cache, or of the factory if `cache` is nil.
    private struct Question {
        let cache: Int?
        let args: String
        let throwsErrors: Bool
        let ignoresErrors: Bool
    }

    /// The questions of one call. Its answer is the first, or the last.
    private struct Rule {
        let questions: [Question]
        let takesLast: Bool
        let resets: Int?

        init(_ numbers: inout RandomNumbers) {
            questions = (0...numbers.below(4)).map { _ in
                Question(
                    cache: numbers.any([0, 0, 1, nil]), args: numbers.any(["error", "nil", "first", "second"]),
                    throwsErrors: numbers.once(in: 2), ignoresErrors: numbers.once(in: 2))
            }
            takesLast = numbers.once(in: 3)
            resets = numbers.once(in: 4) ? numbers.below(2) : nil
        }
    }

    private func answers(to rules: [Rule], isAsync: Bool) async -> [String] {
        let resolver = Resolver(), current = Box(rules[0]), made = Box(0)
        let caches = [ResolverScopeCache(), ResolverScopeCache()]
        let scope = AnsweringScope { call in
            let rule = current.value
            var answer: Any?
            for question in rule.questions {
                let cache = question.cache.map { caches[$0] }
                do {
                    guard let found = try call.answer(cache, question.args, question.throwsErrors) else { continue }
                    answer = found
                } catch { if question.ignoresErrors { continue } else { throw error } }
                if !rule.takesLast { break }
            }
            return answer
        }
        let make = { @Sendable (args: Resolver.Args) throws -> Box<String>? in
            let label: String = args()
            if label == "error" { throw Failure() }
            return label == "nil" ? nil : Box("\(label) \(made.increment())")
        }
        if isAsync {
            resolver.register { _, args in try await yielding(make(args)) }.scope(scope).scopeOnArguments()
        } else {
            resolver.register { _, args in try make(args) }.scope(scope).scopeOnArguments()
        }
        var answers: [String] = []
        for rule in rules {
            current.set(rule)
            do {
                answers.append(try await resolver.resolveAsync(Box<String>.self).value)
            } catch {
                answers.append("\((error as? ResolutionError)?.code, default: "\(error)")")
            }
            if let cache = rule.resets { caches[cache].reset() }
        }
        return answers
    }

    @Test func `a scope gets the same answers from an asynchronous factory as from a synchronous one`() async {
        for seed in 1...UInt64(500) {
            var numbers = RandomNumbers(seed: seed)
            let rules = (0..<6).map { _ in Rule(&numbers) }
            let expected = await answers(to: rules, isAsync: false), found = await answers(to: rules, isAsync: true)
            if expected == found { continue }
            let same = zip(expected, found).prefix { $0 == $1 }.count
            Issue.record("seed \(seed): \(found[same]) is not \(expected[same]) in \(rules[...same])")
        }
    }
}
