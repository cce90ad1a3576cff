import Resolver

/// Stands at the door of the web shop all day. Holds all requests until the last one has arrived, and then lets all in at once.
actor Doorkeeper {
    nonisolated let log: RequestLog
    /// The doorkeeper would like to know whose request it is, and is not told: that lives shorter.
    nonisolated let context: RequestContext?
    /// How many requests were open when the door was opened.
    private(set) var openAtOnce = 0
    private let crowd: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(crowd: Int, log: RequestLog, context: RequestContext?) {
        (self.crowd, self.log, self.context) = (crowd, log, context)
    }

    func admit(_ context: RequestContext?) async {
        log.lines.append(context?.request.id ?? "a stranger")
        if waiting.count + 1 < crowd { return await withCheckedContinuation { waiting.append($0) } }
        openAtOnce = ScopeContext.shared.openScopes().count { $0.kind == .request }
        for request in waiting { request.resume() }
        waiting = []
    }
}
