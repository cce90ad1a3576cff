import Foundation
import Testing

/// Which sanitizer this build runs with: `swift test --sanitize=thread`, or `--sanitize=address`.
enum Sanitizer {
    case thread, address

    /// The runtime of a sanitizer is found by its first function.
    static let current: Sanitizer? =
        if isLoaded("__tsan_init") { .thread } else if isLoaded("__asan_init") { .address } else { nil }

    private static func isLoaded(_ symbol: String) -> Bool {
        dlsym(dlopen(nil, RTLD_NOW), symbol) != nil
    }
}

extension Trait where Self == ConditionTrait {
    /// For a test that reads how much of the heap is in use, with large numbers. `RESOLVER_BRIEF` leaves it out.
    static var measuresHeap: Self {
        .disabled(
            if: Sanitizer.current != nil || ProcessInfo.processInfo.environment["RESOLVER_BRIEF"] != nil,
            "a sanitizer has a heap of its own, which the probe does not see")
    }

    /// For a test of what fits into a stack.
    static var measuresStack: Self {
        .disabled(
            if: Sanitizer.current != nil,
            "the frames of a sanitizer are larger, and the one for threads has room for 65 536 of them")
    }
}
