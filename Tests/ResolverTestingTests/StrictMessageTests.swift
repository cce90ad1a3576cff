// Elsewhere tests are a bundle, which a program of the toolchain loads.
#if os(Linux)
    import Foundation
    import Resolver
    import ResolverTesting
    import Testing

    private final class Ledger: Sendable {}
    private final class Till: Sendable {
        let ledger: Ledger
        init(_ ledger: Ledger) { self.ledger = ledger }
    }

    /// Fails on purpose, in the child process in which `StrictMessageTests` reads what is printed.
    @Suite(.enabled(if: StrictMessageTests.isChild), .resolver(.strict))
    struct FailingOnPurposeTests {
        @Test func `uses the app`() async {
            alarm(600)
            let app = await App.main
            app.register { Ledger() }
            app.register(name: "cash") { Till($0.resolve()) }
            _ = Resolver.resolve(Till.self, name: "cash")
        }
    }

    @Suite struct StrictMessageTests {
        private static let variable = "RESOLVER_FAILS_ON_PURPOSE"
        fileprivate static let isChild = ProcessInfo.processInfo.environment[variable] != nil

        @Test(.enabled(if: !StrictMessageTests.isChild))
        func `a test that uses the app prints what it uses`() throws {
            let (output, status) = try StrictMessageTests.runChild()
            let lines = output.split(separator: "\n").drop { !$0.contains("recorded an issue") }.prefix(8)
            // Removes the symbols at the start of the line.
            let printed = lines.map { $0.drop { !$0.isLetter } }.joined(separator: "\n")
            let expected = """
                Test "uses the app" recorded an issue at StrictMessageTests.swift:22:1: Issue recorded
                RESOLVER: 'Till:cash' is not registered by the test or its suite.
                The call used the app's registration at ResolverTestingTests/StrictMessageTests.swift:21.
                Register the service in the test or its suite.
                Test "uses the app" recorded an issue at StrictMessageTests.swift:21:1: Issue recorded
                RESOLVER: 'Ledger:NONAME' is not registered by the test or its suite.
                The call used the app's registration at ResolverTestingTests/StrictMessageTests.swift:20.
                Register the service in the test or its suite.
                """
            expect(printed, is: expected, "\(output)")
            expect(status, is: EXIT_FAILURE)
        }

        private static func runChild() throws -> (output: String, status: Int32) {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            child.arguments = ["--testing-library", "swift-testing", "--filter", "FailingOnPurposeTests"]
            child.environment = ProcessInfo.processInfo.environment.merging([variable: "1"]) { $1 }
            let pipe = Pipe()
            (child.standardOutput, child.standardError) = (pipe, pipe)
            try child.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            child.waitUntilExit()
            return (output, child.terminationStatus)
        }
    }
#endif
