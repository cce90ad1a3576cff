import Resolver
import Testing

/// Request services of `registerAllServices` are registered for all requests, even if the first call of one request
/// runs it. Each test runs in its own process, because the registrations run once.
@Suite struct ScopedBootstrapTests {
    nonisolated private static let names: [Resolver.Name] = [.template, .scoped, .slow]

    nonisolated private static func records() async throws -> [AppRecord] {
        var records: [AppRecord] = []
        for name in names { for _ in 1...2 { records.append(try await Resolver.resolveAsync(name: name)) } }
        return records
    }

    nonisolated private static func expectOneEach(_ requests: [AppRecord]...) {
        expect(AppRegistrations.runs.value, is: 1)
        for records in requests {
            expect(records.count, is: 2 * names.count)
            for kept in stride(from: 0, to: records.count, by: 2) { expect(records[kept] === records[kept + 1]) }
        }
        expect(Set(requests.flatMap { $0 }.map(ObjectIdentifier.init)).count, is: requests.count * names.count)
    }

    @Test(arguments: [false, true])
    func `the first call in a request, also set by hand, registers for all requests`(_ isSet: Bool) async {
        await #expect(processExitsWith: .success) { [isSet] in
            expect(AppRegistrations.runs.value, is: 0)
            @Sendable nonisolated func handle(_ id: String) async throws -> [AppRecord] {
                if !isSet {
                    return try await Resolver.withScope(.request, id: id) { try await ScopedBootstrapTests.records() }
                }
                ScopeContext.shared.setCurrent(.request, id: id)
                defer { ScopeContext.shared.clear(.request) }
                return try await ScopedBootstrapTests.records()
            }
            let first = try await handle("1"), second = try await handle("2")
            ScopedBootstrapTests.expectOneEach(first, second)
        }
    }

    /// - Parameter isMocked: whether the first request registers a record of its own before the first call.
    @Test(arguments: [false, true])
    func `the first synchronous call registers for all requests, and a request's mock stays its own`(_ isMocked: Bool)
        async
    {
        await #expect(processExitsWith: .success) { [isMocked] in
            let mock = AppRecord()
            func record(_ id: String, isMocked: Bool = false) -> AppRecord? {
                Resolver.withScope(.request, id: id) {
                    if isMocked { Resolver.registerScoped(AppRecord.self, name: .scoped, scope: .request) { mock } }
                    let record = Resolver.optional(AppRecord.self, name: .scoped)
                    return record === Resolver.existing(AppRecord.self, name: .scoped) ? record : nil
                }
            }
            expect(AppRegistrations.runs.value, is: 0)
            let first = record("1", isMocked: isMocked), second = record("2")
            expect(first != nil && (first === mock) == isMocked)
            expect(second != nil && second !== first)
            let outside = Resolver.resolve(AppRecord.self, name: .scoped)
            expect(Resolver.resolve(AppRecord.self, name: .scoped) !== outside, "no request keeps it")
            expect(record("3") !== outside)
        }
    }

    @Test func `the error of registerAllServices for a service of a request advises what can be written`() async {
        await #expect(processExitsWith: .success) {
            let message = Box("")
            AppRegistrations.after.set {
                do { _ = try Resolver.tryResolve(AppRecord.self, name: .own) } catch { message.set("\(error)") }
            }
            Resolver.withScope(.request, id: "1") {
                Resolver.registerScoped(AppRecord.self, name: .own, scope: .request) { AppRecord() }
                _ = Resolver.optional(AppMarker.self)
            }
            expect(message.value.contains("is hidden while registerAllServices() runs, because"))
            expect(message.value.contains("with resolve() in a method.\n"))
            expect(!message.value.contains("register registerAllServices()"))
        }
    }
}
