import Resolver
import XCTest

protocol Startable: AnyObject {
    func start()
}

// Custom modifiers of an app: `update(factory:)` wraps the existing factory.
extension ResolverOptions {
    @discardableResult
    func onInit(_ handler: @escaping @Sendable (Service) -> Void) -> Self {
        registration.update { factory in
            { resolver, args in
                guard let service = factory(resolver, args) else { return nil }
                handler(service)
                return service
            }
        }
        return self
    }

    @discardableResult
    func started() -> ResolverOptions<Service> where Service: Startable {
        registration.update { factory in
            return { (resolver, args) in
                let service = factory(resolver, args)
                service?.start()
                return service
            }
        }
        return self
    }
}

class ModifierTests: XCTestCase {
    class Engine: Startable {
        var starts = 0

        func start() {
            starts += 1
        }
    }

    let resolver = Resolver()

    func testAModifierSeesEachNewInstance() {
        resolver.register { Engine() }.started()
        XCTAssertEqual(resolver.resolve(Engine.self).starts, 1)
    }

    func testAModifierDoesNotRunForAKeptInstance() {
        resolver.register { Engine() }.started().scope(.cached)
        _ = resolver.resolve(Engine.self)
        XCTAssertEqual(resolver.resolve(Engine.self).starts, 1)
    }

    func testAModifierRunsAroundThePropertiesResolvedBeforeIt() {
        let journal = Journal()
        resolver.register { Page() }
            .resolveProperties { _, _ in journal.entries.append("properties") }
            .onInit { _ in journal.entries.append("modifier") }
            .resolveProperties { _, _ in journal.entries.append("later properties") }
        _ = resolver.resolve(Page.self)
        XCTAssertEqual(journal.entries, ["properties", "modifier", "later properties"])
    }

    func testAModifierPassesArgumentsOn() {
        resolver.register { (_, args) in Page(args()) }.onInit { $0.count = 1 }
        let page: Page = resolver.resolve(args: "news")
        XCTAssertEqual(page.label, "news")
        XCTAssertEqual(page.count, 1)
    }

    func testAModifierMayReplaceTheInstance() {
        resolver.register { Page("original") }.registration.update { factory in
            { resolver, args in factory(resolver, args).map { Page($0.label + ", wrapped") } }
        }
        XCTAssertEqual(resolver.resolve(Page.self).label, "original, wrapped")
    }
}
