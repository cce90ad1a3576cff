import Foundation

/// The permitted growth of a figure with the size of its workload.
enum Growth: String {
    /// Each unit costs the same, at every size.
    case flat
    /// Each unit costs its part of sorting all of them.
    case logarithmic
    /// The cost of each unit is proportional to the size, as in a message that searches everything.
    case linear
    /// Nothing remains, however many units there were.
    case nothing
    /// Shown, but not judged.
    case unjudged

    /// Returns the greatest exponent by which the cost of one unit may grow with the size.
    ///
    /// Quadratic work has an exponent of 1 for each unit, far beyond the first two cases.
    func limit(of quantity: Quantity) -> Double {
        // Bytes are counted exactly. Time depends on caches and other processes.
        let slack = quantity == .nanoseconds ? 0.6 : 0.15
        return switch self {
        case .flat: slack
        // From 12 500 to 100 000 the logarithm grows by a factor of 1.22, an exponent of 0.1.
        case .logarithmic: slack + 0.1
        case .linear: 1 + slack
        case .nothing, .unjudged: .infinity
        }
    }

    /// The nanoseconds that cache misses of about 100 ns each add to a unit whose memory does not fit into the caches. Work
    /// that grows costs each unit much more at these sizes.
    static let allowanceForCaches = 1000.0

    /// Returns the number of bytes that count as nothing: memory of the allocator and the runtime.
    ///
    /// The smallest heap block has 32 bytes, so one block for each unit is detected from a thousand units on.
    ///
    /// - Parameter isConcurrent: the system's queues keep some blocks for each of their threads.
    static func allowance(for units: Int, isConcurrent: Bool) -> Double {
        isConcurrent ? 131_072 : Double(min(65536, 16384 + 16 * units))
    }
}

/// The quantity that a figure counts.
enum Quantity: String {
    case nanoseconds = "ns"
    case bytes = "bytes"
    case stackBytes = "bytes of stack"
    case characters = "characters"
    case depth = "depth reached"
}

/// The cost of one unit at each size.
struct Series {
    let quantity: Quantity
    let growth: Growth
    let points: [(size: Int, figure: Figure)]
    let isConcurrent: Bool

    /// The exponent by which the cost of one unit grows with the size: 0 is flat, 1 is linear. nil without a cost, or with
    /// only one size.
    var exponent: Double? {
        let logarithms = points.compactMap { point -> (x: Double, y: Double)? in
            point.figure.each > 0 ? (log(Double(point.size)), log(point.figure.each)) : nil
        }
        guard logarithms.count > 1, logarithms.count == points.count else { return nil }
        let count = Double(logarithms.count)
        let x = logarithms.map(\.x).reduce(0, +) / count, y = logarithms.map(\.y).reduce(0, +) / count
        let slope = logarithms.map { ($0.x - x) * ($0.y - y) }.reduce(0, +)
        return slope / logarithms.map { ($0.x - x) * ($0.x - x) }.reduce(0, +)
    }

    /// Whether the cost grows no faster than permitted.
    var holds: Bool {
        guard growth != .nothing else {
            return points.allSatisfy {
                $0.figure.total <= Growth.allowance(for: $0.figure.units, isConcurrent: isConcurrent)
            }
        }
        guard let exponent, let first = points.first, let last = points.last else { return true }
        if quantity == .nanoseconds, last.figure.each - first.figure.each < Growth.allowanceForCaches { return true }
        return exponent <= growth.limit(of: quantity)
    }
}
