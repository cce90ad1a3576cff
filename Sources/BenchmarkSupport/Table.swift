// Tables for human readers.

/// Returns rows in columns as wide as their widest cell. Numbers are aligned to the right.
public func aligned(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        let cells = zip(row, widths).map { cell, width in
            let padding = String(repeating: " ", count: width - cell.count)
            return Double(cell) == nil ? cell + padding : padding + cell
        }
        let line = "  " + cells.joined(separator: "  ")
        return String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)])
    }.joined(separator: "\n")
}

/// Returns a number with a fixed count of decimals.
public func decimal(_ value: Double, _ decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let whole = (value < 0 && scaled > 0 ? "-" : "") + "\(scaled / scale)"
    if decimals == 0 { return whole }
    let fraction = String(scaled % scale)
    return whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
}
