extension Resolver {
    /// A place in the user's source: the `#fileID` and `#line` of a call.
    public struct SourceLocation: Sendable, CustomStringConvertible {
        /// Module and file, as `#fileID` spells them.
        public let fileID: StaticString
        /// The line, counted from 1.
        public let line: UInt

        /// Makes a location, by default of the call itself.
        public init(fileID: StaticString = #fileID, line: UInt = #line) {
            self.fileID = fileID
            self.line = line
        }

        /// `Module/File.swift:12`
        public var description: String { "\(fileID):\(line)" }
    }
}

typealias SourceLocation = Resolver.SourceLocation

extension SourceLocation {
    /// Whether both are the same place in the program's memory, and so equal. Reads no text.
    func isIdentical(to other: SourceLocation) -> Bool {
        line == other.line && fileID.hasPointerRepresentation && other.fileID.hasPointerRepresentation
            && fileID.utf8Start == other.fileID.utf8Start
    }
}

extension SourceLocation: Hashable {
    /// Two locations are equal if they name the same line of the same file.
    public static func == (lhs: Resolver.SourceLocation, rhs: Resolver.SourceLocation) -> Bool {
        lhs.line == rhs.line && lhs.fileID.description == rhs.fileID.description
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(fileID.description)
    }
}
