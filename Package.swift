// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Resolver",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Resolver", targets: ["Resolver"]),
        // As in 1.5.1. Several binaries of one process share the dynamic one: two copies are two containers.
        .library(name: "Resolver-Static", type: .static, targets: ["Resolver"]),
        .library(name: "Resolver-Dynamic", type: .dynamic, targets: ["Resolver"]),
        // For test targets: it needs the testing library of the toolchain.
        .library(name: "ResolverTesting", targets: ["ResolverTesting"]),
        // For tests and tools: checks the wiring.
        .library(name: "ResolverDiagnostics", targets: ["ResolverDiagnostics"]),
        // For other libraries of containers: what this one promises, as tests that they can run on theirs.
        .library(name: "ResolverSpecification", targets: ["ResolverSpecification"]),
    ],
    targets: [
        // What Swift lacks on every platform we support: C11 atomics on a plain word and a thread-local slot.
        // The privacy manifest stands here: in a Swift target the code for a resource imports Foundation.
        .target(name: "CResolverSupport", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(name: "Resolver", dependencies: ["CResolverSupport"]),
        .target(name: "ResolverTesting", dependencies: ["Resolver"]),
        .target(name: "ResolverDiagnostics", dependencies: ["Resolver"]),
        .target(name: "ResolverSpecification", dependencies: ["ConcurrencySupport"]),
        // Compiled as a client outside of the package is, so that the file can be copied as it is.
        .executableTarget(
            name: "ResolverExample", dependencies: ["Resolver"], exclude: ["Output.txt"], packageAccess: false),

        // Threads, gates and barriers for the specification, the tests and the benchmarks.
        .target(name: "ConcurrencySupport", path: "Tests/ConcurrencySupport"),
        .target(name: "CHeapProbe", path: "Tests/CHeapProbe"),
        .testTarget(
            name: "ResolverTests", dependencies: ["Resolver", "CHeapProbe", "ConcurrencySupport"], exclude: ["Golden"]),
        // The folders that know no services, compiled a second time: LibrarySources is a link to them.
        .testTarget(name: "SupportTests", dependencies: ["CResolverSupport", "ConcurrencySupport"]),
        // Slots, cells and the wait graph over words, locks and latches whose every use is a step of an explorer.
        .testTarget(name: "InterleavingTests", dependencies: ["CResolverSupport", "ConcurrencySupport"]),
        .testTarget(
            name: "ResolverTestingTests", dependencies: ["Resolver", "ResolverTesting", "ConcurrencySupport"]),
        .testTarget(
            name: "SpecificationTests",
            dependencies: ["Resolver", "ResolverTesting", "ResolverSpecification", "ConcurrencySupport"]),
        // A server over sockets whose handlers are the recipes of the pages, in processes of their own.
        .testTarget(name: "ServerTests", dependencies: ["Resolver", "ResolverTesting", "ConcurrencySupport"]),
        // An app with scopes, sessions and rehearsals, and what it prints.
        .testTarget(
            name: "AcceptanceTests", dependencies: ["Resolver", "ResolverDiagnostics", "ConcurrencySupport"],
            exclude: ["WorkingDay.txt"],
            resources: [.embedInCode("Data")]),
        .testTarget(
            name: "ResolverDiagnosticsTests",
            dependencies: ["Resolver", "ResolverDiagnostics", "ResolverTesting", "ConcurrencySupport"]),
        // One app in three modes: Swift 5, Swift 6, and Swift 6 on the main actor. Client is a link to their common sources.
        .testTarget(
            name: "ClientSwift5Tests",
            dependencies: ["Resolver", "ResolverDiagnostics", "ResolverTesting", "ConcurrencySupport"],
            // As an app does that passes initializers by their names: see MigratingWarnings.md.
            swiftSettings: [.swiftLanguageMode(.v5), .enableUpcomingFeature("InferSendableFromCaptures")]),
        .testTarget(
            name: "ClientSwift6Tests",
            dependencies: ["Resolver", "ResolverDiagnostics", "ResolverTesting", "ConcurrencySupport"]),
        .testTarget(
            name: "ClientMainActorTests",
            dependencies: ["Resolver", "ResolverDiagnostics", "ResolverTesting", "ConcurrencySupport"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ]
)

// The targets that a build leaves out, or does not optimize: `.ci/run` says which, and why.
@MainActor func targets(of variable: String) -> [Target] {
    (Context.environment[variable] ?? "").split(separator: " ").map { name in
        guard let target = package.targets.first(where: { $0.name == name }) else {
            fatalError("\(variable): there is no target \(name)")
        }
        return target
    }
}
for target in targets(of: "RESOLVER_UNOPTIMIZED") {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
}
for target in targets(of: "RESOLVER_WITHOUT") { package.targets.removeAll { $0 === target } }

// `swift run` starts the only executable there is, the example. The benchmarks, the limits and the hot operations are there
// when they are asked for: RESOLVER_BENCHMARKS=1 swift run -c release ResolverBenchmarks
if Context.environment["RESOLVER_BENCHMARKS"] != nil {
    package.targets += [
        // Clocks, tables and JSON, which both use.
        .target(name: "BenchmarkSupport", dependencies: ["CHeapProbe"]),
        .executableTarget(
            name: "ResolverBenchmarks",
            dependencies: ["Resolver", "ResolverDiagnostics", "BenchmarkSupport", "ConcurrencySupport"]),
        .executableTarget(
            name: "ResolverLimits", dependencies: ["Resolver", "BenchmarkSupport", "ConcurrencySupport"]),
        .executableTarget(name: "ResolverHot", dependencies: ["Resolver"]),
    ]
}
