import Resolver
import Testing

/// A way in which a context begins and ends, and what the contract of all contexts leaves to each.
struct ContextRow: Sendable, CustomTestStringConvertible {
    typealias Body = @Sendable (ScopeHandle) -> Void
    typealias AsyncBody = @Sendable (ScopeHandle) async -> Void

    /// Which code has the context as its current one.
    enum Sight {
        /// Every thread and task of the process.
        case process
        /// The code inside and its tasks.
        case tasks
        /// The task, or thread, that has set it.
        case execution
    }

    let testDescription: String
    /// A built-in kind, or one of the subject's own.
    let kind: @Sendable (_ number: Int) -> ScopeKind
    /// What release hooks are told.
    var reason = "cleared"
    var sight = Sight.process
    /// Its end returns when the hooks that have to be awaited have run.
    var isAwaited = false
    /// Would end, or be, the context of another test.
    var isInTest = false
    let enter: @Sendable (ScopeKind, String, @escaping Body) async -> Void
    /// nil where the code inside cannot suspend.
    let enterAsync: (@Sendable (ScopeKind, String, @escaping AsyncBody) async -> Void)?

    /// What observers are told.
    var eventReason: ScopeEvent.Reason { ScopeEvent.Reason(rawValue: reason) ?? .ended }

    static let all = ofProcess + awaitedOfProcess + setByHand + closures + handles + builtIn
    static let suspending = all.filter { $0.enterAsync != nil }
    static let awaited = all.filter(\.isAwaited)

    @Sendable private static func ofProcess(_ number: Int) -> ScopeKind {
        ScopeKind("context \(number)", rank: 20, binding: .process)
    }

    @Sendable private static func ofExecution(_ number: Int) -> ScopeKind {
        ScopeKind("context \(number)", rank: 10, binding: .execution)
    }
}

extension ContextRow {
    /// A context that one call begins and another one ends.
    private init(
        _ description: String, _ kind: @escaping @Sendable (Int) -> ScopeKind = ofProcess, _ reason: String = "cleared",
        _ sight: Sight = .process, isAwaited: Bool = false, isInTest: Bool = false,
        begin: @escaping @Sendable (ScopeKind, String) async -> ScopeHandle = { context.setCurrent($0, id: $1) },
        end: @escaping @Sendable (ScopeHandle) async -> Void
    ) {
        self.init(description, kind, reason, sight, isAwaited: isAwaited, isInTest: isInTest) { kind, id, body in
            let scope = await begin(kind, id)
            await body(scope)
            await end(scope)
        }
    }

    /// A context around code that may suspend.
    private init(
        _ description: String, _ kind: @escaping @Sendable (Int) -> ScopeKind, _ reason: String,
        _ sight: Sight = .tasks, isAwaited: Bool = false, isInTest: Bool = false,
        around: @escaping @Sendable (ScopeKind, String, @escaping AsyncBody) async -> Void
    ) {
        self.init(
            testDescription: description, kind: kind, reason: reason, sight: sight, isAwaited: isAwaited,
            isInTest: isInTest, enter: { kind, id, body in await around(kind, id) { body($0) } }, enterAsync: around)
    }

    /// A context around code that may not.
    private init(
        _ description: String, _ reason: String,
        synchronous: @escaping @Sendable (ScopeKind, String, @escaping Body) -> Void
    ) {
        self.init(
            testDescription: description, kind: ContextRow.ofExecution, reason: reason, sight: .tasks,
            enter: { synchronous($0, $1, $2) }, enterAsync: nil)
    }

    private static let ofProcess = [
        ContextRow("set and cleared", end: { context.clear($0.kind) }),
        ContextRow("set and cleared by its id") { scope in
            let isOpen = scope.isOpen
            context.clear(scope.kind, id: "another")
            expect(scope.isOpen, is: isOpen)
            context.clear(scope.kind, id: scope.id)
        },
        ContextRow("set, and its handle ended", ofProcess, "ended", end: { $0.end() }),
        ContextRow("set and ended by its id", ofProcess, "ended", end: { context.end($0.kind, id: $0.id) }),
        ContextRow(
            "ensured and cleared", begin: { context.ensureCurrent($0, id: $1) }, end: { context.clear($0.kind) }),
        ContextRow(
            "set, and another takes its place", ofProcess, "replaced",
            end: { context.setCurrent($0.kind, id: "next").end() }),
        ContextRow("set, and its time is over", ofProcess, "expired") { scope in
            guard scope.isOpen else { return }
            // Another test that looks for its context may be the one that ends this one.
            let isReleased = Gate()
            for last in [DeinitCallback { isReleased.open() }] {
                scope.register(DeinitCallback.self, name: "released last") { last }
            }
            context.setCurrent(scope.kind, id: scope.id, expiresAfter: 0)
            _ = context.current(scope.kind)
            await isReleased.pass()
        },
        ContextRow(
            "set and ended in a cascade", ofProcess, "cleared", .tasks, isInTest: true, begin: setInAnother,
            end: { context.clear(around($0.kind), cascade: true) }),
        ContextRow(
            "put in the place of another",
            begin: { kind, id in
                context.setCurrent(kind, id: "old")
                await replace(kind, id)
                return context.current(kind)!
            }, end: { context.clear($0.kind) }),
        ContextRow("prepared to take the place of another", ofProcess, "cleared") { kind, id, body in
            await replace(kind, id, body)
            context.clear(kind)
        },
        ContextRow(
            "set and cleared by other threads",
            begin: { kind, id in await Threads.result { context.setCurrent(kind, id: id) } },
            end: { scope in await Threads.result { context.clear(scope.kind) } }),
        ContextRow(
            "set by the main actor and cleared by another",
            begin: { kind, id in await MainActor.run { context.setCurrent(kind, id: id) } },
            end: { await Clearing().clear($0.kind) }),
    ]

    private static let awaitedOfProcess = [
        ContextRow(
            "set, and the end of its handle awaited", ofProcess, "ended", isAwaited: true,
            end: { await $0.endAndWait() }),
        ContextRow("set and cleared, awaited", isAwaited: true, end: { await context.clearAndWait($0.kind) }),
        ContextRow("set and cleared by its id, awaited", isAwaited: true) { scope in
            let isOpen = scope.isOpen
            await context.clearAndWait(scope.kind, id: "another")
            expect(scope.isOpen, is: isOpen)
            await context.clearAndWait(scope.kind, id: scope.id)
        },
        ContextRow(
            "set and ended by its id, awaited", ofProcess, "ended", isAwaited: true,
            end: { await context.endAndWait($0.kind, id: $0.id) }),
        ContextRow(
            "set and ended in a cascade, awaited", ofProcess, "cleared", .tasks, isAwaited: true, isInTest: true,
            begin: setInAnother, end: { await context.clearAndWait(around($0.kind), cascade: true) }),
        ContextRow(
            "set and ended with all, awaited", ofProcess, "cleared", .tasks, isAwaited: true, isInTest: true,
            begin: setInAnother, end: { _ in await context.clearAllAndWait() }),
    ]

    private static let setByHand = [
        ContextRow("set by hand and cleared", ofExecution, "cleared", .execution, end: { context.clear($0.kind) }),
        ContextRow("set by hand in a closure and cleared", ofExecution, "cleared", .execution) { kind, id, body in
            await Resolver.withScope(around(kind), id: "around") {
                await body(context.setCurrent(kind, id: id))
                context.clear(kind)
            }
        },
        ContextRow("set by hand in a closure and left there", ofExecution, "ended", .execution) { kind, id, body in
            await Resolver.withScope(around(kind), id: "around") { await body(context.setCurrent(kind, id: id)) }
        },
        ContextRow("set by hand in a boundary and cleared", ofExecution, "cleared") { kind, id, body in
            await ScopeContext.boundary {
                await body(context.setCurrent(kind, id: id))
                context.clear(kind)
            }
        },
        ContextRow("set by hand in a boundary and left there", ofExecution, "ended") { kind, id, body in
            await ScopeContext.boundary { await body(context.setCurrent(kind, id: id)) }
        },
        ContextRow("set by hand on a thread and cleared", "cleared") { kind, id, body in
            Threads.run(1) { _ in
                body(context.setCurrent(kind, id: id))
                context.clear(kind)
            }
        },
    ]

    private static let closures = [
        ContextRow("a synchronous closure", "returned") { kind, id, body in
            Resolver.withScope(kind, id: id) { body(context.current(kind)!) }
        },
        ContextRow("an asynchronous closure", ofExecution, "returned", isAwaited: true, around: enclose),
        ContextRow("a closure of a kind of the process", ofProcess, "returned", isAwaited: true, around: enclose),
    ]

    private static let handles = [
        ContextRow("a handle that is opened, entered and ended", ofExecution, "ended") { kind, id, body in
            let scope = context.open(kind, id: id)
            await scope.run { await body(scope) }
            scope.end()
        },
        ContextRow("a handle of a kind of the process, awaited", ofProcess, "returned", isAwaited: true) {
            kind, id, body in
            let scope = context.open(kind, id: id)
            await scope.run { await body(scope) }
            await scope.endAndWait(.returned)
        },
    ]

    private static let builtIn = ScopeKind.builtIn.map { kind in
        ContextRow(
            "a \(kind), set and cleared", { _ in kind }, "cleared", kind == .request ? .execution : .tasks,
            isInTest: true, end: { context.clear($0.kind) })
    }
}

private let context = ScopeContext.shared

/// A kind that lives longer.
@Sendable private func around(_ kind: ScopeKind) -> ScopeKind {
    ScopeKind("around \(kind)", rank: kind.rank + 1, binding: kind.binding)
}

@Sendable private func setInAnother(_ kind: ScopeKind, _ id: String) -> ScopeHandle {
    context.setCurrent(around(kind), id: "around")
    return context.setCurrent(kind, id: id)
}

/// Runs `body` in the scope that is being prepared.
@Sendable private func replace(_ kind: ScopeKind, _ id: String, _ body: ContextRow.AsyncBody = { _ in }) async {
    _ = try? await context.replaceCurrent(kind, id: id) { await body(context.current(kind)!) }
}

@Sendable private func enclose(_ kind: ScopeKind, _ id: String, _ body: @escaping ContextRow.AsyncBody) async {
    await Resolver.withScope(kind, id: id) { await body(context.current(kind)!) }
}

private actor Clearing { func clear(_ kind: ScopeKind) { ScopeContext.shared.clear(kind) } }
