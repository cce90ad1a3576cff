// A bookshop that takes orders: an app's services, their registrations, and a test. `swift run` starts it.
import Resolver

protocol Mailer: Sendable {
    func send(_ message: String, to customer: String) async
}
struct SMTPMailer: Mailer { func send(_ message: String, to customer: String) {} }
struct Newsletter { let mailer: any Mailer }

struct Database {
    let titles: [Int: String]

    static func open() async throws -> Database {
        print("   Opening the database ...")
        try await Task.sleep(nanoseconds: 50_000_000)
        return Database(titles: [1: "Emma", 2: "Walden"])
    }
}

actor RequestLog {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
}

struct OrderService {
    let database: Database
    let mailer: any Mailer
    let log: RequestLog

    func order(book: Int, for customer: String) async {
        let title = database.titles[book, default: "an unknown book"]
        await log.add("\(customer) orders \(title).")
        await mailer.send("You ordered \(title).", to: customer)
        await log.add("\(type(of: mailer)) sends a confirmation to \(customer).")
    }
}

// MARK: - Registrations

extension Resolver: @retroactive ResolverRegistering {
    /// Runs once, before the first service is resolved.
    public static func registerAllServices() {
        register { SMTPMailer() }.implements((any Mailer).self)
        register { try await Database.open() }.scope(.application)  // one instance for the app
        register { RequestLog() }.scoped(to: .request)  // one instance for each request
        register { resolver in
            try OrderService(database: resolver.tryResolve(), mailer: resolver.tryResolve(), log: resolver.tryResolve())
        }
    }
}

// MARK: - The app

@main enum Example {
    static func main() async throws {
        print("1. The app starts. Two tasks ask for the database, and it is opened once.")
        async let first = Resolver.resolveAsync(Database.self)
        async let second = Resolver.resolveAsync(Database.self)
        _ = try await (first, second)

        print("2. Two requests run at the same time. Each has a log of its own.")
        async let ada = handleRequest("request-1", from: "Ada", book: 1)
        async let boris = handleRequest("request-2", from: "Boris", book: 2)
        for line in await ada + boris { print("   \(line)") }

        print("3. A test overrides two services. The app keeps its own.")
        await testThatAnOrderIsConfirmed()

        print("4. A registration is incomplete. The error says which, and what to write.\n")
        let resolver = Resolver()
        resolver.register { SMTPMailer() }  // .implements((any Mailer).self) is missing
        resolver.register { resolver in try Newsletter(mailer: resolver.tryResolve()) }
        do { _ = try resolver.tryResolve(Newsletter.self) } catch { print(error) }
    }

    static func handleRequest(_ id: String, from customer: String, book: Int) async -> [String] {
        await Resolver.withScope(.request, id: id) {
            let service: OrderService = Resolver.resolve()
            await service.order(book: book, for: customer)
            let log: RequestLog = Resolver.resolve()  // the log that the service writes to
            return await log.lines.map { "\(id): \($0)" }
        }
    }
}

// MARK: - A test

actor RecordingMailer: Mailer {
    private(set) var messages: [String] = []
    func send(_ message: String, to customer: String) { messages.append("\(customer): \(message)") }
}

func testThatAnOrderIsConfirmed() async {
    let resolver = Resolver(isolating: .main)  // has the app's registrations, and instances of its own
    resolver.register { RecordingMailer() }.implements((any Mailer).self).scope(.container)
    resolver.register { Database(titles: [1: "Dubliners"]) }
    await resolver.resolve(OrderService.self).order(book: 1, for: "Cleo")
    print("   RecordingMailer has \(await resolver.resolve(RecordingMailer.self).messages).")
    print("   The app still uses \(type(of: Resolver.resolve((any Mailer).self))).")
}
