extension Resolver {
    /// A place in your source: the `#fileID` and `#line` of a call.
    public struct SourceLocation: Sendable, CustomStringConvertible {
        /// The module and file, as `#fileID` spells them.
        public let fileID: StaticString
        /// The line, counted from 1.
        public let line: UInt

        /// Creates a location, by default that of the call itself.
        public init(fileID: StaticString = #fileID, line: UInt = #line) {
            self.fileID = fileID
            self.line = line
        }

        /// The location as `Module/File.swift:12`.
        @inline(never)
        public var description: String { "\(fileID):\(line)" }
    }
}

typealias SourceLocation = Resolver.SourceLocation

extension SourceLocation {
    /// Returns whether both locations have the same line and the same address of the file's text. Reads no text.
    func isIdentical(to other: SourceLocation) -> Bool {
        line == other.line && fileID.hasPointerRepresentation && other.fileID.hasPointerRepresentation
            && fileID.utf8Start == other.fileID.utf8Start
    }
}

extension SourceLocation: Hashable {
    /// Returns whether two locations are the same line of the same file.
    public static func == (lhs: Resolver.SourceLocation, rhs: Resolver.SourceLocation) -> Bool {
        lhs.line == rhs.line && lhs.fileID.description == rhs.fileID.description
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(fileID.description)
    }
}
