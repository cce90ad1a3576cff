import Foundation
import Testing

@Suite struct DeadlineTests {
    @Test func `the process of an exit test has a deadline`() async {
        await #expect(processExitsWith: .success) { exit(alarm(60) > 0 ? EXIT_SUCCESS : EXIT_FAILURE) }
    }
}
