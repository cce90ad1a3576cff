// Types of this target's own tests, from the time of 1.5.1 without concurrency annotations.

/// A value. Two values with the same number are the same instance. Swift 6 does not allow the static variable.
struct Stamp: Equatable {
    private static var last = 0
    let number: Int

    init() {
        Stamp.last += 1
        number = Stamp.last
    }
}

class Journal { var entries: [String] = [] }
