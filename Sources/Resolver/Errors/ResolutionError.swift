/// The reason why a service could not be resolved, and the path that led to it.
///
/// `tryResolve` throws it. `resolve` traps with its `description`. An error that your factory throws is kept unchanged in
/// `underlying`.
public struct ResolutionError: Error, Sendable {
    /// The kind of an error. It is a struct, so later versions can add kinds without breaking a `switch`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// No registration of this type and name exists.
        public static let notRegistered = Code(description: "notRegistered")
        /// The factory returned nil.
        public static let factoryReturnedNil = Code(description: "factoryReturnedNil")
        /// The factory, or a `resolveProperties` block, threw `underlying`.
        public static let factoryFailed = Code(description: "factoryFailed")
        /// The scope of the registration returned nil, although no factory or scope that it called failed or returned nil.
        public static let scopeDeclined = Code(description: "scopeDeclined")
        /// The scope of the registration failed. If the scope threw an error, `underlying` is that error.
        public static let scopeFailed = Code(description: "scopeFailed")
        /// The creation of the service needs the service itself, in one thread or task, or across several that wait for each other.
        public static let circularDependency = Code(description: "circularDependency")
        /// Nested factories have nearly exhausted the thread's stack, or more than 10,000 asynchronous factories are nested.
        public static let tooDeep = Code(description: "tooDeep")
        /// The factory or a block is isolated to an actor, and the call does not run there.
        public static let wrongIsolation = Code(description: "wrongIsolation")
        /// The factory is asynchronous, and no kept instance exists for a synchronous call.
        public static let requiresAsync = Code(description: "requiresAsync")
        /// The scope ended while the instance was being created for it.
        public static let scopeEnded = Code(description: "scopeEnded")
        /// The factory asked for an argument that was not passed.
        public static let missingArgument = Code(description: "missingArgument")
        /// The factory asked for an argument of a type other than the one passed.
        public static let wrongArgumentType = Code(description: "wrongArgumentType")
        /// The factory asked for the only argument, and several were passed.
        public static let ambiguousArgument = Code(description: "ambiguousArgument")
        /// The scope keeps one instance for each argument, and the argument is not `Hashable` or not equal to itself.
        public static let argumentNotHashable = Code(description: "argumentNotHashable")
        /// An `onRelease` hook threw `underlying`. No call throws this error: `Resolver.report` gets it.
        public static let releaseFailed = Code(description: "releaseFailed")
    }

    /// One step of a path: a registration whose instance was being created.
    public struct Hop: Hashable, Sendable {
        /// The type, with its module.
        public let service: String
        /// The name of the registration, if it has one.
        public let name: String?
        /// The source location of the `register` call; nil for a step without a registration.
        public let location: Resolver.SourceLocation?
    }

    private struct Contents: Sendable {
        let code: Code
        var text: Text
        var callSite: SourceLocation?
        var suggest: @Sendable () -> [String] = { [] }
        var underlying: (any Error)?
    }

    /// The contents of an error in one allocation. A one-word error costs nothing on paths that do not throw.
    private final class Storage: Sendable {
        let contents: Contents

        init(_ contents: Contents) { self.contents = contents }
    }

    /// The headline, service and path of an error.
    private enum Text {
        case known(headline: String, subject: Hop, path: [Hop])
        /// Formatted when it is read, because the stack has no room for that when the error is created.
        case tooDeep(path: @Sendable () -> [Hop])

        var read: (headline: String, subject: Hop, path: [Hop]) {
            switch self {
            case .known(let headline, let subject, let path): return (headline, subject, path)
            case .tooDeep(let path):
                let path = path()
                return (Messages.tooDeep(path), path[path.count - 1], path)
            }
        }
    }

    private let storage: Storage
    private var contents: Contents { storage.contents }

    @inline(never)
    init(
        _ code: Code, headline: String, subject: Hop, path: [Hop], callSite: SourceLocation? = nil,
        suggest: @escaping @Sendable () -> [String] = { [] }, underlying: (any Error)? = nil
    ) {
        self.init(
            Contents(
                code: code, text: .known(headline: headline, subject: subject, path: path), callSite: callSite,
                suggest: suggest, underlying: underlying))
    }

    /// - Parameter path: returns the path, which is not empty. Its last step is the service of the error.
    static func tooDeep(_ path: @escaping @Sendable () -> [Hop]) -> ResolutionError {
        ResolutionError(Contents(code: .tooDeep, text: .tooDeep(path: path)))
    }

    private init(_ contents: Contents) { storage = Storage(contents) }

    private func with(_ change: (inout Contents) -> Void) -> ResolutionError {
        var contents = contents
        change(&contents)
        return ResolutionError(contents)
    }

    /// Returns the error with the call site of the failed call, unless a nested call has set one.
    func asked(at callSite: SourceLocation) -> ResolutionError {
        contents.callSite == nil ? with { $0.callSite = callSite } : self
    }

    /// Returns the error for a caller that waited for the failed creation while it created the services of `path`.
    ///
    /// The path of a dependency cycle is the same for all callers, so such an error does not change.
    func led(by path: [Hop]) -> ResolutionError {
        if code == .circularDependency || path.isEmpty { return self }
        let text = contents.text.read
        return with { $0.text = .known(headline: text.headline, subject: text.subject, path: path + text.path) }
    }

    /// Returns the error with computed suggestions, so that it no longer needs the resolver.
    func withKnownSuggestions() -> ResolutionError {
        let known = suggestions
        return with { $0.suggest = { known } }
    }

    /// The kind of the error.
    public var code: Code { contents.code }
    /// The type that could not be resolved, with its module.
    public var service: String { contents.text.read.subject.service }
    /// The name that was passed to the call, if any.
    public var name: String? { contents.text.read.subject.name }
    /// The services that were being created, the outermost first. For a dependency cycle, the first service is repeated at the end.
    public var path: [Hop] { contents.text.read.path }
    /// The source location of the failed call, if it is known.
    public var callSite: Resolver.SourceLocation? { contents.callSite }
    /// Suggestions of registrations that the call may have meant, at most three of each kind. Computed when read, as is `description`.
    public var suggestions: [String] { contents.suggest() }
    /// The error that the factory, the scope or the hook threw, unchanged.
    public var underlying: (any Error)? { contents.underlying }
}

extension ResolutionError: CustomStringConvertible {
    /// The whole message: what failed, why, what to write instead, then the call site, the path and the suggestions.
    public var description: String {
        let text = contents.text.read
        return Messages.report(
            headline: text.headline, path: text.path, callSite: callSite, suggestions: suggestions)
    }
}

extension ResolutionError.Hop: CustomStringConvertible {
    /// The service and its name: `Shop.Cart:guest`, or `Shop.Cart` without a name.
    @inline(never)
    public var description: String { name.map { "\(service):\($0)" } ?? service }
}

extension Resolver {
    /// A location in your source: the `#fileID` and `#line` of a call.
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
