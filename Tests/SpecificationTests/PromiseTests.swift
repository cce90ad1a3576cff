import Foundation
import Resolver
import ResolverSpecification
import ResolverTesting
import Testing

/// The promises of the documents, checked on each kind of container.
// The time limit counts from the start of the process, and the tests take a quarter of an hour under a sanitizer on a
// slow machine.
@Suite(.timeLimit(.minutes(40))) struct PromiseTests {
    @Test(.resolver, arguments: ResolverSystem.Subject.allCases, Specification.promises)
    func `the library keeps its promise`(subject: ResolverSystem.Subject, promise: Promise) async throws {
        try await PromiseTests.verify(promise, on: ResolverSystem(subject))
    }

    fileprivate static func verify(_ promise: Promise, on system: any SystemUnderTest) async throws {
        guard broken.contains(promise.description) else { return try await promise.verify(on: system) }
        await withKnownIssue("the library and the reference break this promise") {
            try await promise.verify(on: system)
        }
    }

    @Test(arguments: ResolverSystem.Subject.allCases)
    func `the library keeps its promises also without a test's resolver`(subject: ResolverSystem.Subject) async {
        await #expect(processExitsWith: .success) { [subject] in
            for promise in Specification.promises where !PromiseTests.broken.contains(promise.description) {
                ResolverSystem.discardAll()
                do {
                    try await promise.verify(on: ResolverSystem(subject, isInTest: false))
                } catch {
                    Issue.record("\(promise): \(error)")
                }
            }
        }
    }

    @Test func `each known broken promise is part of the specification`() {
        expect(PromiseTests.broken.subtracting(Specification.promises.map(\.description)), is: [])
    }

    /// The known promises that the library does not keep.
    fileprivate static let broken: Set<String> = [
        "The path of a dependency cycle with arguments has all that is on it."
    ]
}

/// The promises of the documents, checked on the reference as far as its features go.
@Suite struct ReferenceTests {
    @Test(arguments: Specification.promises)
    func `the reference keeps the promises too`(promise: Promise) async throws {
        try await PromiseTests.verify(promise, on: ReferenceSystem())
    }
}
