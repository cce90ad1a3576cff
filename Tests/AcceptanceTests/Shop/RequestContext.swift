/// Who asks the web shop for what, as long as it is answered.
final class RequestContext: Sendable {
    let request: WebRequest
    private let presence = Presence()

    private init(_ request: WebRequest) { self.request = request }

    static func open(for request: WebRequest) async -> RequestContext {
        // Other requests run now, so a value that does not belong to this request belongs to another one.
        await Task.yield()
        return RequestContext(request)
    }
}

/// What has been written down of one request.
final class RequestLog: Sendable {
    let lines = Box<[String]>([])
    private let presence = Presence()
}
