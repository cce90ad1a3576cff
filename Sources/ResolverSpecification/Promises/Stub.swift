extension Specification {
    static let cycles: [Promise] = []
    static let arguments: [Promise] = []
    static let times: [Promise] = []
    static let containers: [Promise] = []
    static let failures: [Promise] = []
    static let contexts: [Promise] = []
    static let asynchronous: [Promise] = []
}
