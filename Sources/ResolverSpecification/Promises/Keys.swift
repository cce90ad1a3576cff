import Testing

extension Specification {
    /// What a registration is found by.
    static let keys: [Promise] = [
        Promise("the last registration wins", "Registering.md#the-last-registration-wins") { system in
            let container = system.makeContainer()
            container.register { "first" }
            container.register { "second" }
            try #expect(container.get(String.self) == "second")
        },
        Promise("a named registration does not stand in for the unnamed one", "Names.md") { system in
            let container = system.makeContainer()
            container.register(name: "live") { "live" }
            try #expect(container.optional(String.self) == nil)
            try #expect(container.get(String.self, name: "live") == "live")
        },
    ]
    static let lifetimes: [Promise] = []
    static let resetting: [Promise] = []
    static let cycles: [Promise] = []
    static let arguments: [Promise] = []
    static let times: [Promise] = []
    static let containers: [Promise] = []
    static let failures: [Promise] = []
    static let contexts: [Promise] = []
    static let asynchronous: [Promise] = []
}
