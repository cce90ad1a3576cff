import Testing

extension Specification {
    /// Several arguments of one call, and arguments of any type.
    static let keyedArguments: [Promise] = [
        Promise("The single argument has the type that the factory asks for.", "Arguments.md") { _, container in
            container.registerWithArguments(Int.self, name: nil, line: 1) { _, arguments in
                try arguments.get(String.self).count
            }
            try expect(container.get(Int.self, name: nil, passing: .single("three")), is: 5)
        },
        Promise("Keyed arguments are told apart by their keys.", "Arguments.md") { _, container in
            container.registerWithArguments(String.self, name: nil, line: 1) { _, arguments in
                try arguments.get(String.self, "text") + String(try arguments.get(Int.self, "size"))
            }
            try expect(
                container.get(String.self, name: nil, passing: .keyed(["text": "News", "size": 3])), is: "News3")
        },
        Promise("The only keyed argument is also the single one.", "Arguments.md") { _, container in
            container.registerWithArguments(Int.self, name: nil, line: 1) { _, arguments in
                try arguments.get(Int.self)
            }
            try expect(container.get(Int.self, name: nil, passing: .keyed(["size": 3])), is: 3)
        },
        Promise("An argument that is missing is an error, or nil.", "Arguments.md") { _, container in
            container.registerWithArguments(Int.self, name: "needed", line: 1) { _, arguments in
                try arguments.get(Int.self, "size")
            }
            container.registerWithArguments(Int.self, name: "optional", line: 1) { _, arguments in
                arguments.optional(Int.self, "size") ?? 0
            }
            let passed = PassedArguments.keyed(["text": "News"])
            try expect(code(of: "needed", passed, container), is: "missingArgument")
            try expect(container.get(Int.self, name: "optional", passing: passed), is: 0)
            try expect(container.failure(of: Int.self, name: "needed").code, is: "missingArgument")
        },
        Promise("An argument of another type is an error, or nil.", "Arguments.md") { _, container in
            container.registerWithArguments(Int.self, name: "needed", line: 1) { _, arguments in
                try arguments.get(Int.self, "size")
            }
            container.registerWithArguments(Int.self, name: "single", line: 1) { _, arguments in
                try arguments.get(Int.self)
            }
            container.registerWithArguments(Int.self, name: "optional", line: 1) { _, arguments in
                (arguments.optional(Int.self) ?? 0) + (arguments.optional(Int.self, "size") ?? 0)
            }
            let passed = PassedArguments.keyed(["size": "five"])
            try expect(code(of: "needed", passed, container), is: "wrongArgumentType")
            try expect(code(of: "single", .single("five"), container), is: "wrongArgumentType")
            try expect(container.get(Int.self, name: "optional", passing: passed), is: 0)
        },
        Promise("With several keyed arguments none is the single one.", "Arguments.md") { _, container in
            container.registerWithArguments(Int.self, name: nil, line: 1) { _, arguments in
                try arguments.get(Int.self)
            }
            try expect(code(of: nil, .keyed(["width": 1, "height": 2]), container), is: "ambiguousArgument")
        },
        Promise("A dictionary may be the single argument.", "Arguments.md") { _, container in
            container.registerWithArguments(Int.self, name: nil, line: 1) { _, arguments in
                try arguments.get([String: Int].self).count
            }
            try expect(container.get(Int.self, name: nil, passing: .single(["a": 1, "b": 2])), is: 2)
        },
        Promise(
            "Keyed arguments are the same when all of them are.", "ArgumentsAndScopes.md#which-values-are-the-same",
            needs: [.arguments]
        ) { system, _ in
            let container = keeping(system)
            let one = try leaf(container, .keyed(["text": "News", "size": 3]))
            try expect(leaf(container, .keyed(["size": 3, "text": "News"])) === one)
            try expect(leaf(container, .keyed(["text": "News", "size": 4])) !== one)
            try expect(leaf(container, .keyed(["text": "News"])) !== one)
        },
        Promise(
            "Values of two types are two, although they are equal.", "ArgumentsAndScopes.md#which-values-are-the-same",
            needs: [.arguments]
        ) { system, _ in
            let container = keeping(system)
            let values: [any Sendable] = [1, 1 as Int8, 1 as UInt, 1.0, 1 as Float, "1", true, [1], [1 as Int8]]
            let leaves = try values.map { try leaf(container, .single($0)) }
            expect(Set(leaves.map(ObjectIdentifier.init)).count, is: values.count)
            for (value, one) in zip(values, leaves) { try expect(leaf(container, .single(value)) === one) }
        },
        Promise(
            "Equal hashes alone make nothing the same.", "ArgumentsAndScopes.md#which-values-are-the-same",
            needs: [.arguments]
        ) { system, _ in
            struct Colliding: Hashable {
                let number: Int
                func hash(into hasher: inout Hasher) {}
            }
            let container = keeping(system)
            let leaves = try (0..<300).map { try leaf(container, .single(Colliding(number: $0))) }
            expect(Set(leaves.map(ObjectIdentifier.init)).count, is: 300)
            for (number, one) in leaves.enumerated() {
                try expect(leaf(container, .single(Colliding(number: number))) === one)
            }
        },
        Promise(
            "An argument that cannot be compared is an error, and nothing is kept.",
            "ArgumentsAndScopes.md#one-instance-for-each-value", needs: [.arguments]
        ) { system, _ in
            struct Opaque: Sendable {}
            let made = Counter()
            let container = keeping(system, made)
            for argument: any Sendable in [Opaque(), Double.nan] {
                let failure = try #require(throws: Failure.self) { try leaf(container, .single(argument)) }
                expect(failure.code, is: "argumentNotHashable")
            }
            expect(made.value, is: 0)
        },
        Promise(
            "A keyed argument that is nil is not one that is missing.",
            "ArgumentsAndScopes.md#which-values-are-the-same", needs: [.arguments]
        ) { system, _ in
            let container = keeping(system)
            let one = try leaf(container, .keyed(["text": "News", "size": Int?.none]))
            try expect(leaf(container, .keyed(["text": "News"])) !== one)
            try expect(leaf(container, .keyed(["text": "News", "size": Int?.none])) === one)
        },
    ]

    private static func code(
        of name: String?, _ arguments: PassedArguments, _ container: any ContainerUnderTest
    ) throws -> String {
        try #require(throws: Failure.self) { try container.get(Int.self, name: name, passing: arguments) }.code
    }

    /// Returns a container that keeps one leaf for each argument.
    private static func keeping(_ system: any SystemUnderTest, _ made: Counter = Counter()) -> any ContainerUnderTest {
        let container = system.makeContainer()
        container.registerWithArguments(Leaf.self, name: nil, line: 1) { _, _ in
            made.increment()
            return Leaf()
        }.with(.cached).keepForEachArgument()
        return container
    }

    private static func leaf(_ container: any ContainerUnderTest, _ arguments: PassedArguments) throws -> Leaf {
        try container.get(Leaf.self, name: nil, passing: arguments)
    }
}
