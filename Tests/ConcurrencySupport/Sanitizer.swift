import Foundation

/// Which sanitizer this build runs with: `swift test --sanitize=thread`, or `--sanitize=address`.
package enum Sanitizer {
    case thread, address

    /// The sanitizer of this process, which the first function of its runtime tells.
    package static let current: Sanitizer? =
        if isLoaded("__tsan_init") { .thread } else if isLoaded("__asan_init") { .address } else { nil }

    /// Whether the tests of a release build follow, which repeat each race as often as it takes.
    package static let isBrief = ProcessInfo.processInfo.environment["RESOLVER_BRIEF"] != nil

    /// Returns `count`, or a tenth of it with a sanitizer or `RESOLVER_BRIEF`.
    ///
    /// A sanitizer takes ten times as long, and reports a race without its threads meeting in the moment that matters.
    package static func rounds(_ count: Int) -> Int { current == nil && !isBrief ? count : max(1, count / 10) }

    private static func isLoaded(_ symbol: String) -> Bool { dlsym(dlopen(nil, RTLD_NOW), symbol) != nil }
}
