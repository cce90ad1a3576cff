import ConcurrencySupport
import Testing

extension Specification {
    /// Arguments of a call, and the instances kept for them.
    static let arguments: [Promise] =
        (passing + forEachArgument).map { $0.needing(.arguments) } + keyedArguments.map { $0.needing(.keyedArguments) }

    private static let passing: [Promise] = [
        Promise("A factory gets the argument of the call.", "Arguments.md", each: Lifetime.plain) {
            _, container, lifetime in
            container.registerByArgument(lifetime)
            try expect(container.number(Argument(5)), is: 5, "\(lifetime)")
        },
        Promise("A factory gets nothing where the call passes nothing.", "Arguments.md") { _, container in
            container.registerByArgument(.unique)
            try expect(container.number(), is: -1)
        },
        Promise("Every call that makes an instance passes arguments.", "Resolving.md") { _, container in
            container.registerByArgument(.unique)
            for function in [SyncFunction.resolve, .optional, .tryResolve] {
                try expect(container.ask(function, Numbered.self, name: nil, Argument(4))?.number, is: 4, "\(function)")
            }
        },
        Promise("A factory that takes no arguments ignores them.", "Arguments.md") { _, container in
            container.register { "made" }
            try expect(container.get(String.self, Argument(1)), is: "made")
        },
        Promise("The arguments of a call are not those of nested calls.", "Arguments.md#arguments-and-scopes") {
            _, container in
            container.registerByArgument(.unique)
            container.register { container in Holder(try container.number()) }
            try expect(container.get(Holder<Int>.self, Argument(5)).part, is: -1)
        },
        Promise(
            "A kept instance is handed out whatever the arguments are.", "ArgumentsAndScopes.md", each: Lifetime.keeping
        ) { _, container, lifetime in
            container.registerByArgument(lifetime)
            let first = try container.get(Numbered.self, Argument(1))
            expect(first.number, is: 1, "\(lifetime)")
            try expect(container.get(Numbered.self, Argument(2)) === first, "\(lifetime)")
            try expect(container.get(Numbered.self) === first, "\(lifetime)")
        },
        Promise("Within one resolution the first argument wins.", "ArgumentsAndScopes.md") { _, container in
            container.registerByArgument(.graph)
            container.register { container in
                Holder([try container.number(Argument(1)), try container.number(Argument(2))])
            }
            try expect(container.get(Holder<[Int]>.self).part, is: [1, 1])
            try expect(container.number(Argument(3)), is: 3)
        },
        Promise("A unique service is made for the arguments of each call.", "ArgumentsAndScopes.md") { _, container in
            container.registerByArgument(.unique)
            container.register { container in
                Holder([try container.number(Argument(1)), try container.number(Argument(2))])
            }
            try expect(container.get(Holder<[Int]>.self).part, is: [1, 2])
        },
        Promise("Arguments go on to blocks of properties.", "Arguments.md#arguments-and-scopes", needs: [.properties]) {
            _, container in
            let seen = Box<[Int?]>([])
            container.registerLeaf(.unique).complete { _, _, argument in seen.update { $0.append(argument?.value) } }
            _ = try container.get(Leaf.self, Argument(6))
            _ = try container.get(Leaf.self)
            expect(seen.value, is: [6, nil])
        },
        Promise(
            "Arguments go on to the service that an alias stands for.", "Arguments.md#arguments-and-scopes",
            needs: [.aliases]
        ) { _, container in
            container.registerByArgument(.unique).implement((any Sendable).self, name: "alias", line: 1)
            let service = try container.get((any Sendable).self, name: "alias", Argument(8))
            expect((service as? Numbered)?.number, is: 8)
        },
        Promise(
            "A recursion with arguments that has no end is an error.", "Arguments.md#arguments-and-scopes",
            needs: [.threads]
        ) { _, container in
            container.register(Numbered.self, name: nil, line: 1) { container, argument in
                try container.get(Numbered.self, Argument((argument?.value ?? 0) + 1))
            }
            // A failure is copied once for each step of its path. A small stack has few steps.
            let recurse: @Sendable () throws -> Failure = { try container.failure(of: Numbered.self, Argument(0)) }
            let outcomes = await Threads.outcomes(stackSize: 512 * 1024, [recurse])
            try expect(outcomes[0].get().code, is: "tooDeep")
            try expect(container.optional(Leaf.self), is: nil)
        },
    ]
}
