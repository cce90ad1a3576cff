// Code that the compiler must refuse, one case at a time: swift build --build-tests -Xswiftc -DNEGATIVE_COMPILE
#if NEGATIVE_COMPILE
    import Resolver

    private typealias App = ChildContractTests.App
    private typealias Feature = ChildContractTests.Feature

    // A parent must provide everything in the child's contract.
    private final class Empty: Feature.Parent {}

    // A scope must adopt the contract of its child.
    private final class Unrelated { @ChildScope({ Feature(parent: $0 as Unrelated) }) var feature: Feature }

    // A child property must name its own class as the parent.
    final class Other {
        @ChildScope({ ChildContractTests.Feature(parent: $0 as ChildContractTests.App) })
        var feature: ChildContractTests.Feature
        func open() { _ = feature }
    }

    extension ChildContractTests.Item {
        // A child sees only its contract, not the rest of its parent.
        func open() { _ = parent.item }
    }

    // Only classes may have children.
    private struct Value { @ChildScope({ Feature(parent: $0 as App) }) var feature: Feature }
#endif
