extension Specification {
    static let contexts: [Promise] = []
    static let asynchronous: [Promise] = []
}
