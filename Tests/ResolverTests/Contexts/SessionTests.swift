import Dispatch
import Resolver
import Testing

/// What belongs to a user is there from login to logout, everywhere. Each test is a process of its own: there is one
/// session in a process.
@Suite struct SessionTests {
    // MARK: From login to logout

    @Test func `after login the services of the user are there and kept until logout`() async {
        await #expect(processExitsWith: .success) {
            #expect(Resolver.optional(Profile.self) == nil)
            Account.logIn("Ada")
            #expect(Resolver.optional(Login.self)?.user == User(name: "Ada"))
            #expect(Resolver.resolve(Profile.self) === Resolver.resolve(Profile.self))
            #expect(Resolver.resolve(Inbox.self) === Resolver.resolve(Inbox.self))
            Account.logOut()
            #expect(Resolver.optional(Login.self) == nil)
            #expect(Resolver.optional(Profile.self) == nil)
            #expect(Resolver.optional(Inbox.self) == nil)
        }
    }

    @Test func `a session is seen by every thread and task`() async {
        await #expect(processExitsWith: .success) {
            await Task { Account.logIn("Ada") }.value
            let profile: Profile = Resolver.resolve()
            @Sendable func isSeen() -> Bool { Resolver.optional(Profile.self) === profile }
            #expect(isSeen())
            #expect(await Task { isSeen() }.value)
            #expect(await Task.detached { isSeen() }.value)
            #expect(await MainActor.run { isSeen() })
            #expect(await Threads.result { isSeen() })
            #expect(
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: isSeen()) }
                })
        }
    }

    @Test func `a session outlives its screens`() async {
        await #expect(processExitsWith: .success) {
            Account.logIn("Ada")
            let profile: Profile = Resolver.resolve()
            for screen in ["A", "B", "C"] {
                ScopeContext.shared.setCurrent(.screen, id: screen)
                #expect(Resolver.resolve(Profile.self) === profile)
            }
        }
    }

    @Test func `logout releases everything before it returns also what factories hold`() async {
        await #expect(processExitsWith: .success) {
            Account.logIn("Ada")
            weak let profile = Resolver.resolve(Profile.self)
            weak let login = Resolver.resolve(Login.self)
            #expect(profile != nil)
            #expect(login != nil)
            Account.logOut()
            #expect(profile == nil)
            #expect(login == nil)
        }
    }

    @Test func `the next login sees the new user only`() async {
        await #expect(processExitsWith: .success) {
            Account.logIn("Ada")
            _ = (Resolver.resolve(Profile.self), Resolver.resolve(Inbox.self))
            Account.logOut()
            Account.logIn("Bob")
            #expect(Resolver.resolve(Login.self).user.name == "Bob")
            #expect(Resolver.resolve(Profile.self).login.user.name == "Bob")
            #expect(Resolver.resolve(Inbox.self).login.user.name == "Bob")
        }
    }

    @Test func `a new session may begin right after logout`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            Account.logIn("Ada")
            Account.logOut()
            ScopeContext.shared.setCurrent(.session, id: "guest")
            #expect(ScopeContext.shared.currentID(for: .session) == "guest")
            #expect(Resolver.optional(Profile.self) == nil)
        }
    }

    @Test func `a property follows the session`() async {
        await #expect(processExitsWith: .success) {
            struct ProfilePage {
                @Inject var profile: Profile?
            }
            let page = ProfilePage()
            #expect(page.profile == nil)
            Account.logIn("Ada")
            #expect(page.profile != nil)
            #expect(page.profile === Resolver.optional(Profile.self))
            Account.logOut()
            #expect(page.profile == nil)
        }
    }

    // MARK: Refreshing

    @Test func `without a session there is nothing to refresh`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.session), fetches = Box(0)
            try await Account.refresh {
                fetches.increment()
                return User(name: "Ada")
            }
            #expect(fetches.value == 0)
            #expect(log.events.isEmpty)
        }
    }

    @Test func `refreshing brings fresh services under the same id`() async {
        await #expect(processExitsWith: .success) {
            Account.logIn("Ada")
            weak let old = Resolver.resolve(Profile.self)
            try await Account.refresh { User(name: "Ada Lovelace") }
            #expect(old == nil)
            #expect(ScopeContext.shared.currentID(for: .session) == "user Ada")
            #expect(Resolver.resolve(Profile.self).login.user.name == "Ada Lovelace")
            #expect(Resolver.optional(Inbox.self) == nil)
        }
    }

    @Test func `a refresh that fails leaves the session as it was`() async {
        await #expect(processExitsWith: .success) {
            Account.logIn("Ada")
            let profile: Profile = Resolver.resolve()
            await #expect(throws: Failure(number: 1)) { try await Account.refresh { throw Failure(number: 1) } }
            #expect(Resolver.resolve(Profile.self) === profile)
        }
    }

    @Test func `between clearing and the next login nothing stale is seen`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[Bool]>([])
            @Sendable func fetch() async throws -> User {
                seen.append(Resolver.optional(Profile.self) != nil)
                throw Failure(number: 1)
            }
            Account.logIn("Ada")
            _ = Resolver.resolve(Profile.self)
            Account.logOut()
            await #expect(throws: Failure(number: 1)) { Account.logIn(try await fetch().name) }
            #expect(seen.value == [false])
            #expect(ScopeContext.shared.currentID(for: .session) == nil)
        }
    }
}
