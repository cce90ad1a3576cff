import Resolver
import ResolverTesting
import Testing

/// Names its creator, and counts lines.
final class Note: Sendable {
    let author: String
    let lines = Box(0)

    init(by author: String) { self.author = author }
}

/// The scopes and contexts that keep a note.
enum Keeping: String, CaseIterable {
    case application, cached, shared, container, custom, session, screen

    var name: Resolver.Name { Resolver.Name(rawValue) }

    @discardableResult func register(on resolver: Resolver, by author: String) -> ResolverOptions<Note> {
        let options = resolver.register(name: name) { Note(by: author) }
        return switch self {
        case .application: options.scope(.application)
        case .cached: options.scope(.cached)
        case .shared: options.scope(.shared)
        case .container: options.scope(.container)
        case .custom: options.scope(.custom)
        case .session: options.scoped(to: .session)
        case .screen: options.scoped(to: .screen)
        }
    }

    /// The names of the services that the process keeps without a context.
    static let outsideOfScopes = [application, cached, container, custom].map(\.name) + [.printed]
}

extension ResolverScope { static let custom = ResolverScopeCache() }

extension Resolver.Name {
    static let application = Self("application"), cached = Self("cached"), custom = Self("custom")
    static let session = Self("session")
    /// A service that only the app registers.
    static let printed = Self("printed")
    /// A container of the app.
    static let branch = Self("branch")
}

extension Resolver {
    static var branch: Resolver { resolve(name: .branch) }
}

/// The registrations that the process makes before any test. All tests of the package share the process, so these are types and
/// names that no other test uses.
enum App {
    /// The resolver of the process.
    static var main: Resolver { get async { await launched.value } }

    // A detached task belongs to no test, whichever test comes first.
    private static let launched = Task.detached {
        for keeping in Keeping.allCases { keeping.register(on: .main, by: "app") }
        Resolver.register(name: .printed) { Note(by: "app") }.scope(.application)
        Resolver.register(name: .branch) { Resolver() }.scope(.singleton)
        return Resolver.main
    }
}

struct Failure: Error, Equatable {}

/// Runs `body` as the trait runs a test.
func inTest(
    _ trait: ResolverTrait = .resolver, _ body: @concurrent @Sendable () async throws -> Void
) async throws {
    try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current, performing: body)
}
