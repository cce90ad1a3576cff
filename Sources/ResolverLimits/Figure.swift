/// One number, measured at one size.
struct Figure {
    let step: String
    let quantity: Quantity
    let growth: Growth
    let units: Int
    let total: Double

    /// The properties that figures of several sizes share.
    struct Key: Equatable {
        let step: String
        let quantity: Quantity
    }

    var key: Key { Key(step: step, quantity: quantity) }

    /// The cost of one unit.
    var each: Double { total / Double(max(units, 1)) }
}

// A line of text that the measuring process prints and its parent reads.

extension Figure {
    private static let mark = "figure"

    var line: String {
        [Figure.mark, step, quantity.rawValue, growth.rawValue, "\(units)", "\(total)"].joined(separator: "\t")
    }

    /// nil if the line is not a figure.
    init?(line: Substring) {
        let parts = line.split(separator: "\t").map(String.init)
        guard parts.count == 6, parts[0] == Figure.mark, let quantity = Quantity(rawValue: parts[2]),
            let growth = Growth(rawValue: parts[3]), let units = Int(parts[4]), let total = Double(parts[5])
        else { return nil }
        self.init(step: parts[1], quantity: quantity, growth: growth, units: units, total: total)
    }
}
