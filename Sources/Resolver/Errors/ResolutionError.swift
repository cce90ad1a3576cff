/// Why a service could not be resolved, and the path that led there.
///
/// `tryResolve` throws it; `resolve` traps with its `description`. What a factory of yours throws is never lost: it is
/// `underlying`, unchanged.
public struct ResolutionError: Error, Sendable {
    /// The kind of an error. A struct, so that later versions can add kinds without breaking a `switch`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// No registration of this type and name was found.
        public static let notRegistered = Code(description: "notRegistered")
        /// The factory ran and returned nil.
        public static let factoryReturnedNil = Code(description: "factoryReturnedNil")
        /// The factory, or a `resolveProperties` block, threw `underlying`.
        public static let factoryFailed = Code(description: "factoryFailed")
        /// The scope of the registration returned nil without having run the factory.
        public static let scopeDeclined = Code(description: "scopeDeclined")
        /// The scope of the registration failed by itself, with `underlying` if it threw.
        public static let scopeFailed = Code(description: "scopeFailed")
        /// Making the service needs the service itself, in one thread or task, or across several that wait for each
        /// other.
        public static let circularDependency = Code(description: "circularDependency")
        /// Factories are nested so deeply that the thread's stack is about to end; asynchronous ones, 10 000 deep.
        public static let tooDeep = Code(description: "tooDeep")
        /// The factory belongs to an actor that the caller is not on.
        public static let wrongIsolation = Code(description: "wrongIsolation")
        /// The factory is asynchronous, and nothing is kept that a synchronous call could be given.
        public static let requiresAsync = Code(description: "requiresAsync")
        /// The scope for which the instance was being made has ended.
        public static let scopeEnded = Code(description: "scopeEnded")
        /// The factory asked for an argument that was not passed.
        public static let missingArgument = Code(description: "missingArgument")
        /// The factory asked for an argument of another type than the one passed.
        public static let wrongArgumentType = Code(description: "wrongArgumentType")
        /// The factory asked for the only argument, and several were passed.
        public static let ambiguousArgument = Code(description: "ambiguousArgument")
        /// Instances are kept for each argument, and the one that was passed cannot be told from others.
        public static let argumentNotHashable = Code(description: "argumentNotHashable")
        /// An `onRelease` hook threw `underlying`. Not thrown: see `Resolver.report`.
        public static let releaseFailed = Code(description: "releaseFailed")
    }

    /// One step of a path: a registration whose instance was being made.
    public struct Hop: Hashable, Sendable {
        /// The type, with its module.
        public let service: String
        /// The name of the registration, if it has one.
        public let name: String?
        /// Where `register` was called; nil for what has no registration.
        public let location: Resolver.SourceLocation?
    }

    /// One allocation behind a one-word error, so that throwing it costs the paths that do not throw nothing.
    private final class Storage: Sendable {
        let code: Code
        let text: Text
        let callSite: SourceLocation?
        let suggest: @Sendable () -> [String]
        let underlying: (any Error)?

        init(
            code: Code, text: Text, callSite: SourceLocation?, suggest: @escaping @Sendable () -> [String],
            underlying: (any Error)?
        ) {
            self.code = code
            self.text = text
            self.callSite = callSite
            self.suggest = suggest
            self.underlying = underlying
        }
    }

    /// What is told of an error: known when it is made, or worked out when it is read.
    private enum Text {
        case known(headline: String, subject: Hop, path: [Hop])
        case later(headline: @Sendable ([Hop]) -> String, path: @Sendable () -> [Hop])

        var path: [Hop] {
            switch self {
            case .known(_, _, let path): path
            case .later(_, let path): path()
            }
        }

        var headline: String {
            switch self {
            case .known(let headline, _, _): headline
            case .later(let headline, let path): headline(path())
            }
        }

        var subject: Hop {
            switch self {
            case .known(_, let subject, _): subject
            case .later(_, let path): path().last ?? Hop(service: Messages.noService, name: nil, location: nil)
            }
        }
    }

    private let storage: Storage

    init(
        _ code: Code, headline: String, subject: Hop, path: [Hop], callSite: SourceLocation? = nil,
        suggest: @escaping @Sendable () -> [String] = { [] }, underlying: (any Error)? = nil
    ) {
        storage = Storage(
            code: code, text: .known(headline: headline, subject: subject, path: path), callSite: callSite,
            suggest: suggest, underlying: underlying)
    }

    /// An error whose path is spelled out when it is read: where it is made there is no room for that on the stack.
    ///
    /// - Parameter path: not empty; the last one is the subject.
    init(_ code: Code, headline: @escaping @Sendable ([Hop]) -> String, path: @escaping @Sendable () -> [Hop]) {
        storage = Storage(
            code: code, text: .later(headline: headline, path: path), callSite: nil, suggest: { [] }, underlying: nil)
    }

    private init(_ storage: Storage) {
        self.storage = storage
    }

    /// This error with the call that failed, unless a call further in has put itself there.
    func asked(at callSite: SourceLocation) -> ResolutionError {
        storage.callSite == nil ? with(storage.text, callSite: callSite) : self
    }

    /// This error for a caller that waited for what failed, in the middle of making something else. A ring is the same
    /// from everywhere.
    func led(by path: [Hop]) -> ResolutionError {
        if code == .circularDependency || path.isEmpty { return self }
        let text = storage.text
        return with(.known(headline: text.headline, subject: text.subject, path: path + text.path), callSite: callSite)
    }

    private func with(_ text: Text, callSite: SourceLocation?) -> ResolutionError {
        ResolutionError(
            Storage(code: code, text: text, callSite: callSite, suggest: storage.suggest, underlying: underlying))
    }

    /// What kind of error it is.
    public var code: Code { storage.code }
    /// The type that could not be resolved, with its module.
    public var service: String { storage.text.subject.service }
    /// The name that was asked for, if any.
    public var name: String? { storage.text.subject.name }
    /// What was being made when it happened, the outermost first. For a circle: the ring, its first member repeated at
    /// the end.
    public var path: [Hop] { storage.text.path }
    /// Where the failing call stands in your code, when it is known.
    public var callSite: Resolver.SourceLocation? { storage.callSite }
    /// What may have been meant, at most three of each kind. Worked out when it is read, as is `description`.
    public var suggestions: [String] { storage.suggest() }
    /// What the factory threw, unchanged.
    public var underlying: (any Error)? { storage.underlying }
}

extension ResolutionError: CustomStringConvertible {
    /// The whole message: what was asked, the path that led there, where, and what to do next.
    public var description: String {
        Messages.report(
            headline: storage.text.headline, path: path, callSite: callSite, suggestions: suggestions)
    }
}

extension ResolutionError.Hop: CustomStringConvertible {
    /// `Shop.Cart:guest`, or `Shop.Cart` without a name.
    public var description: String {
        name.map { "\(service):\($0)" } ?? service
    }
}
