/// A random number generator with a seed: SplitMix64.
package struct RandomNumbers {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// Returns true once in `times` calls on average.
    package mutating func once(in times: Int) -> Bool { below(times) == 0 }

    package mutating func any<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
