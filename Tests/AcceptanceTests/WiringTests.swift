import Foundation
import Resolver
import ResolverDiagnostics
import Testing

/// The shop's wiring, without a working day: in a process of its own, as its services print.
@Suite struct WiringTests {
    @Test func `the wiring of the shop is whole`() async {
        await #expect(processExitsWith: .success) {
            Resolver.registerShop()
            try Resolver.verify()
        }
    }

    @Test func `every service of the shop can be created`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                Resolver.registerShop()
                let prepare: @Sendable (inout Rehearsal) -> Void = { rehearsal in
                    rehearsal.arguments("ada", for: Session.self)
                    rehearsal.arguments(["code": "SPRING", "total": 5000] as [String: any Sendable], for: Coupon.self)
                    rehearsal.skip(Supplier.self, because: "the test has no telephone")
                }
                let text: String
                do { text = try await Resolver.rehearse(prepare).description } catch { text = "\(error)" }
                FileHandle.standardError.write(Data(text.utf8))
            })
        expect(
            String(decoding: result.standardErrorContent, as: UTF8.self),
            is: """
                RESOLVER: the wiring has 0 errors and 0 warnings.

                Not created:
                  AcceptanceTests.Supplier: skipped, because: the test has no telephone
                Branches that were not taken, lazy properties, and calls after the creation were not checked.
                """)
    }
}
