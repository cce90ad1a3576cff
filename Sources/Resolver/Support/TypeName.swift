/// How messages spell a type.
enum TypeName {
    /// As 1.5.1 spelled it in its messages: `Service`.
    static func short(_ type: Any.Type) -> String {
        "\(type)"
    }

    /// With its module, so that two types of one simple name can be told apart: `Shop.Service`.
    ///
    /// Swift writes private and local types as `Shop.(unknown context at $5581c8).Service`; the address differs in every
    /// run and is of no use to a reader, so it is left out.
    static func qualified(_ type: Any.Type) -> String {
        var rest = Substring(String(reflecting: type))
        var name = ""
        while let start = rest.firstIndex(ofText: "(unknown context at $") {
            name += rest[..<start]
            rest = rest[start...]
            guard let end = rest.firstIndex(of: ")") else { break }
            rest = rest[rest.index(after: end)...]
            if rest.first == "." { rest = rest.dropFirst() }
        }
        return name + rest
    }
}

extension Substring {
    /// The index where `text` first occurs. (The standard library's own search needs a newer system than we support.)
    fileprivate func firstIndex(ofText text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
