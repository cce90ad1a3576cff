/// A JSON value that writes its members in the given order.
public enum Json: CustomStringConvertible {
    case string(String)
    case number(Double)
    case integer(Int)
    case bool(Bool)
    case array([Json])
    case object([(String, Json)])

    public var description: String { lines(indent: "") }

    private func lines(indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .string(let string): return quoted(string)
        case .number(let number): return "\(number)"
        case .integer(let integer): return "\(integer)"
        case .bool(let bool): return "\(bool)"
        case .array(let values):
            return block("[", values.map { inner + $0.lines(indent: inner) }, "]", indent)
        case .object(let members):
            return block(
                "{", members.map { inner + quoted($0.0) + ": " + $0.1.lines(indent: inner) }, "}", indent)
        }
    }

    private func block(_ open: String, _ items: [String], _ close: String, _ indent: String) -> String {
        items.isEmpty ? open + close : "\(open)\n\(items.joined(separator: ",\n"))\n\(indent)\(close)"
    }

    /// Escapes quotation marks and backslashes only. The names in a report have no control characters.
    private func quoted(_ string: String) -> String {
        "\"" + string.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
