import ConcurrencySupport
import Testing

extension Specification {
    /// Resets, and the instances they leave.
    static let resetting: [Promise] =
        resets + resetsEverywhere + resetsMeanwhile + (hooks + awaitedHooks).map { $0.needing(.hooks) }

    private static let resets: [Promise] = [
        Promise(
            "A reset of a lifetime in one container releases what it keeps there.", "Resetting.md",
            each: Lifetime.keeping
        ) { _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            let leaf = try container.get(Leaf.self)
            container.reset(.lifetime(lifetime))
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            try expect(container.get(Leaf.self) !== leaf, "\(lifetime)")
        },
        Promise(
            "A reset of a lifetime in one container leaves the other lifetimes.", "Resetting.md", each: Lifetime.strong
        ) { _, container, lifetime in
            for other in Lifetime.strong { _ = container.registerLeaf(other, name: "\(other)") }
            for other in Lifetime.strong { _ = try container.get(Leaf.self, name: "\(other)") }
            container.reset(.lifetime(lifetime))
            for other in Lifetime.strong {
                let isKept = try container.existing(Leaf.self, name: "\(other)") != nil
                expect(isKept, is: other != lifetime, "\(other) after \(lifetime)")
            }
        },
        Promise(
            "A reset of a lifetime in one container leaves the other containers.", "Resetting.md",
            each: [Lifetime.cached, .container, .custom, .shared]
        ) { system, container, lifetime in
            let other = system.makeContainer()
            for container in [container, other] { _ = container.registerLeaf(lifetime) }
            let leaf = try container.get(Leaf.self)
            let kept = try other.get(Leaf.self)
            container.reset(.lifetime(lifetime))
            try expect(other.existing(Leaf.self) === kept, "\(lifetime)")
            try expect(container.get(Leaf.self) !== leaf, "\(lifetime)")
        },
        Promise(
            "A reset of the singletons of one container releases them for all that share them.", "Resetting.md",
            needs: [.sharedSingletons]
        ) { system, _ in
            let containers = [system.makeContainer(), system.makeContainer()]
            for container in containers { _ = container.registerLeaf(.application, line: 1) }
            let leaf = try containers[0].get(Leaf.self)
            containers[1].reset(.lifetime(.application))
            try expect(containers[0].existing(Leaf.self), is: nil)
            try expect(containers[0].get(Leaf.self) !== leaf)
        },
        Promise(
            "A reset of the scopes releases what is kept, and leaves the registrations.", "Resetting.md",
            each: [Lifetime.cached, .container, .custom, .shared]
        ) { _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            let leaf = try container.get(Leaf.self)
            container.reset(.scopes)
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            try expect(container.get(Leaf.self) !== leaf, "\(lifetime)")
        },
        Promise("A reset of the scopes leaves singletons.", "Resetting.md", needs: [.sharedSingletons]) {
            _, container in
            _ = container.registerLeaf(.application)
            let leaf = try container.get(Leaf.self)
            container.reset(.scopes)
            try expect(container.get(Leaf.self) === leaf)
        },
        Promise(
            "A reset of the registrations leaves none of them.", "Resetting.md", each: [ResetPart.registrations, .all]
        ) { _, container, part in
            for lifetime in Lifetime.plain { _ = container.registerLeaf(lifetime, name: "\(lifetime)") }
            for lifetime in Lifetime.plain { _ = try container.get(Leaf.self, name: "\(lifetime)") }
            container.reset(part)
            for lifetime in Lifetime.plain {
                try expect(container.optional(Leaf.self, name: "\(lifetime)"), is: nil, "\(part), \(lifetime)")
                try expect(container.existing(Leaf.self, name: "\(lifetime)"), is: nil, "\(part), \(lifetime)")
            }
        },
        Promise(
            "A reset of the registrations releases what was kept for them.", "Resetting.md",
            each: [Lifetime.cached, .container, .custom]
        ) { _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            weak var leaf = try container.get(Leaf.self)
            expect(leaf != nil, "\(lifetime)")
            container.reset(.registrations)
            expect(leaf, is: nil, "\(lifetime)")
        },
        Promise(
            "A container that registers the same call again finds its singleton again.", "Resetting.md",
            needs: [.sharedSingletons]
        ) { _, container in
            _ = container.registerLeaf(.application, line: 1)
            let leaf = try container.get(Leaf.self)
            container.reset(.all)
            try expect(container.optional(Leaf.self), is: nil)
            _ = container.registerLeaf(.application, line: 1)
            try expect(container.get(Leaf.self) === leaf)
        },
        Promise("What was handed out is not touched by a reset.", "Resetting.md#what-it-means") { _, container in
            _ = container.registerLeaf(.cached)
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.container)
            let holder = try container.get(Holder<Leaf>.self)
            let leaf = holder.part
            container.reset(.lifetime(.cached))
            try expect(container.get(Holder<Leaf>.self).part === leaf)
            try expect(container.get(Leaf.self) !== leaf)
        },
        Promise(
            "Instances are released one after the other, the youngest first.", "Resetting.md#what-it-means",
            each: [ResetPart.scopes, .all]
        ) { _, container, part in
            let log = Log()
            let names = ["1", "2", "3", "4"]
            for name in names { container.register(name: name) { Mortal { log.note(name) } }.setLifetime(.cached) }
            for name in ["3", "1", "4", "2"] { _ = try container.get(Mortal.self, name: name) }
            container.reset(part)
            expect(log.value, is: ["2", "4", "1", "3"], "\(part)")
        },
        Promise("A service goes before what was made for it.", "Resetting.md#what-it-means") { _, container in
            let log = Log()
            container.register(name: "whole") { container in
                _ = try container.get(Mortal.self, name: "part")
                return Mortal { log.note("whole") }
            }.setLifetime(.cached)
            container.register(name: "part") { Mortal { log.note("part") } }.setLifetime(.cached)
            _ = try container.get(Mortal.self, name: "whole")
            container.reset(.scopes)
            expect(log.value, is: ["whole", "part"])
        },
        Promise(
            "The youngest instance is the one that was completed last, with its properties.",
            "Resetting.md#what-it-means", needs: [.properties]
        ) { _, container in
            let log = Log()
            container.register(name: "part") { Mortal { log.note("part") } }.setLifetime(.cached)
            let whole: any RegistrationUnderTest<Mortal> = container.register(name: "whole") {
                Mortal { log.note("whole") }
            }
            whole.setLifetime(.cached)
            whole.complete { container, _, _ in _ = try container.get(Mortal.self, name: "part") }
            _ = try container.get(Mortal.self, name: "whole")
            container.reset(.scopes)
            expect(log.value, is: ["whole", "part"])
        },
        Promise(
            "The deinitializer of a released instance may resolve, register and reset.", "Resetting.md#what-it-means"
        ) { _, container in
            let found = Box<[Int?]>([])
            _ = container.registerNumbered(.cached)
            container.register {
                Mortal { [weak container] in
                    container?.reset(.scopes)
                    container?.register { 5 }
                    found.update { $0.append(try? container?.number()) }
                    found.update { $0.append(try? container?.get(Int.self)) }
                }
            }.setLifetime(.cached)
            _ = try container.number()
            _ = try container.get(Mortal.self)
            container.reset(.scopes)
            expect(found.value, is: [2, 5])
        },
    ]

    private static let resetsEverywhere: [Promise] = [
        Promise("A reset of a lifetime reaches all containers.", "Resetting.md", needs: [.resetsEverywhere]) {
            system, _ in
            for lifetime in [Lifetime.cached, .application, .shared, .custom] {
                let containers = [system.makeContainer(), system.makeContainer()]
                for container in containers { _ = container.registerLeaf(lifetime) }
                let leaves = try containers.map { try $0.get(Leaf.self) }
                system.reset(lifetime)
                for container in containers { try expect(container.existing(Leaf.self), is: nil, "\(lifetime)") }
                for (container, leaf) in zip(containers, leaves) {
                    try expect(container.get(Leaf.self) !== leaf, "\(lifetime)")
                }
            }
        },
        Promise(
            "A reset of a lifetime everywhere leaves the other lifetimes.", "Resetting.md", needs: [.resetsEverywhere],
            each: [Lifetime.cached, .application, .shared, .custom]
        ) { system, container, lifetime in
            for other in Lifetime.strong { _ = container.registerLeaf(other, name: "\(other)") }
            for other in Lifetime.strong { _ = try container.get(Leaf.self, name: "\(other)") }
            system.reset(lifetime)
            for other in Lifetime.strong {
                let isKept = try container.existing(Leaf.self, name: "\(other)") != nil
                expect(isKept, is: other != lifetime, "\(other) after \(lifetime)")
            }
        },
        Promise("What each container keeps for itself has no reset for all of them.", "Resetting.md") {
            system, container in
            _ = container.registerLeaf(.container)
            let leaf = try container.get(Leaf.self)
            for lifetime in [Lifetime.container, .graph, .unique] { system.reset(lifetime) }
            try expect(container.get(Leaf.self) === leaf)
        },
    ]
}
