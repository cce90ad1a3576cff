import Resolver

struct User: Sendable, Equatable {
    var name: String
}

/// Who has logged in. Held by nothing but the session.
final class Login: Sendable {
    let user: User

    init(_ user: User) {
        self.user = user
    }
}

class Personal: @unchecked Sendable {
    let login: Login

    init(_ login: Login) {
        self.login = login
    }
}

final class Profile: Personal, @unchecked Sendable {}
final class Inbox: Personal, @unchecked Sendable {}

/// What an app does when a user comes and goes.
enum Account {
    static func logIn(_ name: String) {
        let login = Login(User(name: name))
        ScopeContext.shared.setCurrent(.session, id: "user \(name)")
        Resolver.registerScoped(Login.self, scope: .session) { login }
        Resolver.registerScoped(Profile.self, scope: .session) { Profile(login) }
        Resolver.registerScoped(Inbox.self, scope: .session) { Inbox(login) }
    }

    static func logOut() {
        ScopeContext.shared.clear(.session)
    }

    /// Logs the user in anew with what `fetch` returns. Nothing happens if nobody is logged in.
    static func refresh(_ fetch: @Sendable () async throws -> User) async throws {
        guard let id = ScopeContext.shared.currentID(for: .session) else { return }
        try await ScopeContext.shared.replaceCurrent(.session, id: id) {
            let login = Login(try await fetch())
            await Resolver.registerScoped(Login.self, scope: .session) { login }
            await Resolver.registerScoped(Profile.self, scope: .session) { Profile(login) }
        }
    }
}
