import Testing

extension Specification {
    /// Containers that use the registrations of another one and keep their instances themselves.
    static let isolation: [Promise] = [
        Promise("An isolating container finds what the other one finds.", "Containers.md#isolating") { system, live in
            live.register { "live" }
            let rehearsal = system.makeContainer(isolating: live)
            try expect(rehearsal.get(String.self), is: "live")
            live.register(name: "later") { "later" }
            try expect(rehearsal.get(String.self, name: "later"), is: "later")
        },
        Promise("Registrations of an isolating container come first.", "Containers.md#isolating") { system, live in
            live.register { "live" }
            let rehearsal = system.makeContainer(isolating: live)
            rehearsal.register { "mock" }
            try expect(rehearsal.get(String.self), is: "mock")
            try expect(live.get(String.self), is: "live")
        },
        Promise(
            "An isolating container keeps an instance of its own, whatever the lifetime is.", "Containers.md#isolating",
            each: Lifetime.keeping
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let kept = try live.get(Leaf.self)
            let rehearsal = system.makeContainer(isolating: live)
            try expect(rehearsal.existing(Leaf.self), is: nil, "\(lifetime)")
            let leaf = try rehearsal.get(Leaf.self)
            expect(leaf !== kept, "\(lifetime)")
            try expect(rehearsal.get(Leaf.self) === leaf, "\(lifetime)")
            try expect(live.get(Leaf.self) === kept, "\(lifetime)")
        },
        Promise("Two isolating containers keep two instances.", "Containers.md#isolating", each: Lifetime.strong) {
            system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let rehearsals = [system.makeContainer(isolating: live), system.makeContainer(isolating: live)]
            let leaf = try rehearsals[0].get(Leaf.self)
            try expect(rehearsals[1].get(Leaf.self) !== leaf, "\(lifetime)")
            try expect(rehearsals[0].get(Leaf.self) === leaf, "\(lifetime)")
        },
        Promise(
            "Parts that its factories resolve are kept by it as well.", "Containers.md#isolating", each: Lifetime.strong
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            live.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
            let kept = try live.get(Holder<Leaf>.self)
            let rehearsal = system.makeContainer(isolating: live)
            let holder = try rehearsal.get(Holder<Leaf>.self)
            expect(holder.part !== kept.part, "\(lifetime)")
            try expect(rehearsal.get(Leaf.self) === holder.part, "\(lifetime)")
        },
        Promise("Factories use the replacements of an isolating container.", "Containers.md#isolating") {
            system, live in
            live.register { "live" }.setLifetime(.cached)
            live.register { container in Holder(try container.get(String.self)) }.setLifetime(.cached)
            try expect(live.get(Holder<String>.self).part, is: "live")
            let rehearsal = system.makeContainer(isolating: live)
            rehearsal.register { "mock" }
            try expect(rehearsal.get(Holder<String>.self).part, is: "mock")
            try expect(live.get(Holder<String>.self).part, is: "live")
        },
        Promise(
            "What an isolating container keeps goes with it, the youngest first, with hooks.",
            "Containers.md#isolating", needs: [.hooks]
        ) { system, live in
            let log = Log()
            for (name, lifetime) in [("cached", Lifetime.cached), ("singleton", .application), ("custom", .custom)] {
                live.registerLeaf(lifetime, name: name).onRelease { _ in log.note(name) }
            }
            do {
                let rehearsal = system.makeContainer(isolating: live)
                for name in ["singleton", "cached", "custom"] { _ = try rehearsal.get(Leaf.self, name: name) }
                withExtendedLifetime(rehearsal) { expect(log.value, is: []) }
            }
            expect(log.value, is: ["custom", "cached", "singleton"])
        },
        Promise(
            "A reset of an isolating container releases singletons, too.", "Containers.md#isolating",
            each: Lifetime.strong
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let kept = try live.get(Leaf.self)
            let rehearsal = system.makeContainer(isolating: live)
            for part in [ResetPart.registrations, .scopes, .lifetime(lifetime), .all] {
                rehearsal.register { OtherLeaf() }.setLifetime(lifetime)
                weak var leaf = try rehearsal.get(Leaf.self)
                weak var own = try rehearsal.get(OtherLeaf.self)
                expect(leaf != nil && own != nil, "\(lifetime)")
                rehearsal.reset(part)
                // Only the other container has registered the leaf.
                expect(leaf != nil, is: part == .registrations, "\(lifetime), \(part)")
                try expect(rehearsal.existing(Leaf.self) === leaf, "\(lifetime), \(part)")
                expect(own, is: nil, "\(lifetime), \(part)")
            }
            try expect(live.get(Leaf.self) === kept, "\(lifetime)")
        },
        Promise(
            "A reset of the other container leaves what an isolating one keeps.", "Containers.md#isolating",
            each: Lifetime.strong
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let rehearsal = system.makeContainer(isolating: live)
            rehearsal.register { OtherLeaf() }.setLifetime(lifetime)
            let leaf = try rehearsal.get(Leaf.self)
            let other = try rehearsal.get(OtherLeaf.self)
            for part in [ResetPart.scopes, .lifetime(lifetime)] {
                live.reset(part)
                try expect(rehearsal.get(Leaf.self) === leaf, "\(lifetime), \(part)")
                try expect(rehearsal.get(OtherLeaf.self) === other, "\(lifetime), \(part)")
            }
        },
        Promise(
            "A reset of a lifetime everywhere leaves what an isolating container keeps.", "Containers.md#isolating",
            needs: [.resetsEverywhere, .isolationFromResets], each: [Lifetime.cached, .application, .custom]
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let kept = try live.get(Leaf.self)
            let rehearsal = system.makeContainer(isolating: live)
            rehearsal.register { OtherLeaf() }.setLifetime(lifetime)
            let leaf = try rehearsal.get(Leaf.self)
            let other = try rehearsal.get(OtherLeaf.self)
            system.reset(lifetime)
            try expect(rehearsal.get(OtherLeaf.self) === other, "\(lifetime)")
            try expect(rehearsal.get(Leaf.self) === leaf, "\(lifetime)")
            try expect(live.get(Leaf.self) !== kept, "\(lifetime)")
        },
        Promise(
            "What is registered again in the other container goes in the isolating one, too.",
            "Containers.md#isolating", each: Lifetime.strong
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let rehearsal = system.makeContainer(isolating: live)
            weak var leaf = try rehearsal.get(Leaf.self)
            expect(leaf != nil, "\(lifetime)")
            _ = live.registerLeaf(lifetime)
            expect(leaf, is: nil, "\(lifetime)")
            try expect(rehearsal.existing(Leaf.self), is: nil, "\(lifetime)")
        },
        Promise(
            "Where the other container loses its registrations, what is kept for them goes.", "Containers.md#isolating",
            each: Lifetime.strong
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let rehearsal = system.makeContainer(isolating: live)
            weak var leaf = try rehearsal.get(Leaf.self)
            expect(leaf != nil, "\(lifetime)")
            live.reset(.registrations)
            expect(leaf, is: nil, "\(lifetime)")
            try expect(rehearsal.optional(Leaf.self), is: nil, "\(lifetime)")
        },
        Promise(
            "What is found behind an isolating container is kept by it.", "Containers.md#isolating", needs: [.children],
            each: Lifetime.strong
        ) { system, live, lifetime in
            _ = live.registerLeaf(lifetime)
            let rehearsal = system.makeContainer(isolating: live)
            let outer = system.makeContainer(before: rehearsal)
            let leaf = try outer.get(Leaf.self)
            try expect(rehearsal.existing(Leaf.self) === leaf, "\(lifetime)")
            try expect(live.existing(Leaf.self), is: nil, "\(lifetime)")
        },
        Promise("One resolution makes one object through an isolating container, too.", "Containers.md#isolating") {
            system, live in
            _ = live.registerLeaf(.graph)
            live.register { container in Pair(try container.get(Leaf.self), try container.get(Leaf.self)) }
            let rehearsal = system.makeContainer(isolating: live)
            let pair = try rehearsal.get(Pair.self)
            expect(pair.first === pair.second)
        },
    ]
}
