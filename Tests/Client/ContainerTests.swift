import Resolver
import Testing

@Suite struct ContainerTests {
    @available(swift, deprecated: 5.0, message: "Tests a deprecated initializer.")
    @Test func `the deprecated parent is a child`() {
        let child = Resolver()
        child.register { Page("child") }
        #expect(Resolver(parent: child).resolve(Page.self).label == "child")
    }
}
