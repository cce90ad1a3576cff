import Resolver
import XCTest

class NameTests: XCTestCase {
    var resolver: Resolver!

    override func setUp() {
        super.setUp()
        resolver = Resolver()
    }

    func testServicesOfOneTypeAreToldApartByName() {
        resolver.register(name: "Fred") { Page("fred") }
        resolver.register(name: "Barney") { Page("barney") }
        XCTAssertEqual(resolver.resolve(Page.self, name: "Fred").label, "fred")
        XCTAssertEqual(resolver.resolve(Page.self, name: "Barney").label, "barney")
    }

    func testAStaticNameAndALiteralAreTheSameName() {
        resolver.register(name: .fred) { Page("fred") }
        resolver.register(name: "Barney") { Page("barney") }
        XCTAssertEqual(resolver.resolve(Page.self, name: "Fred").label, "fred")
        XCTAssertEqual(resolver.resolve(Page.self, name: .barney).label, "barney")
    }

    func testTheUnnamedServiceDoesNotStandInForANamedOne() {
        resolver.register { Page("unnamed") }
        XCTAssertNil(resolver.optional(Page.self, name: .fred))
    }

    func testANamedServiceDoesNotStandInForTheUnnamedOne() {
        resolver.register(name: .fred) { Page("fred") }
        XCTAssertNil(resolver.optional(Page.self))
    }

    func testNamesAreExact() {
        resolver.register(name: "Fred") { Page("fred") }
        XCTAssertNil(resolver.optional(Page.self, name: "fred"))
        XCTAssertNil(resolver.optional(Page.self, name: "Fred "))
    }

    func testValuesOfOneTypeAreToldApartByName() {
        resolver.register(name: .fred) { "Fred Flintstone" }
        resolver.register(name: .barney) { "Barney Rubble" }
        XCTAssertEqual(resolver.resolve(String.self, name: .fred), "Fred Flintstone")
        XCTAssertEqual(resolver.resolve(name: .barney), "Barney Rubble")
    }

    func testAStringVariableBecomesAName() {
        let text = "Fred"
        resolver.register(name: .fred) { Page("fred") }
        XCTAssertEqual(resolver.resolve(Page.self, name: .name(fromString: text)).label, "fred")
    }

    func testAMissingStringIsTheUnnamedService() {
        let text: String? = nil
        resolver.register { Page("unnamed") }
        XCTAssertNil(Resolver.Name.name(fromString: text))
        XCTAssertEqual(resolver.resolve(Page.self, name: .name(fromString: text)).label, "unnamed")
    }

    func testNamesAreKeysOfDictionaries() {
        let ages: [Resolver.Name: Int] = [.fred: 40, "Barney": 38]
        XCTAssertEqual(ages["Fred"], 40)
        XCTAssertEqual(ages[.barney], 38)
        XCTAssertEqual(Resolver.Name("Fred").hashValue, Resolver.Name.fred.hashValue)
    }

    func testANameKnowsItsString() {
        XCTAssertEqual(Resolver.Name.fred.rawValue, "Fred")
        XCTAssertEqual(Resolver.Name(stringLiteral: "Fred"), .fred)
        XCTAssertNotEqual(Resolver.Name.fred, .barney)
    }

    func testTheLastRegistrationOfANameWins() {
        resolver.register(name: .fred) { Page("first") }
        resolver.register(name: .fred) { Page("last") }
        XCTAssertEqual(resolver.resolve(Page.self, name: .fred).label, "last")
    }
}
