extension Specification {
    static let asynchronous: [Promise] = []
}
