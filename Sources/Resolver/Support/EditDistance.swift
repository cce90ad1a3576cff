/// The number of letters that must be added, removed or changed to turn one word into another.
enum EditDistance {
    /// Returns the distance, or nil if it exceeds `limit`.
    static func between(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            var least = row[0]
            for (j, other) in right.enumerated() {
                let changed = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
                least = min(least, row[j + 1])
            }
            // No later row has a smaller minimum.
            if least > limit { return nil }
        }
        return row[right.count] <= limit ? row[right.count] : nil
    }
}
