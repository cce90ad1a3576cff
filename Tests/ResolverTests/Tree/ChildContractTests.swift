import Resolver
import Testing

@Suite struct ChildContractTests {
    private let log = Box<[String]>([])

    @Test(arguments: ChildRow.all)
    func `a child is created when it is first read and stays while it is referenced`(_ row: ChildRow) {
        let outer = Outer(), other = Outer()
        expect(row.current(outer), is: nil)
        expect(outer.made.value, is: 0)
        let child = row.read(outer)
        expect(row.read(outer) === child)
        expect(row.current(outer) === child)
        expect(child.outer === outer)
        expect(outer.made.value, is: 1)
        expect(row.read(other) !== child, "each parent has its own")
        expect(row.read(other).outer === other)
    }

    @Test(arguments: ChildRow.all)
    func `a child without references is released and created again unless its parent retains it`(_ row: ChildRow) {
        let outer = Outer(log)
        for times in 1...3 {
            expect(row.read(outer).outer === outer)
            expect(row.current(outer) == nil, is: !row.isRetained)
            expect(outer.made.value, is: row.isRetained ? 1 : times)
            expect(log.value.count, is: row.isRetained ? 0 : times)
        }
    }

    @Test(arguments: ChildRow.all)
    func `a parent forgets its child at once when it releases it`(_ row: ChildRow) {
        let outer = Outer(log)
        row.release(outer)
        expect(outer.made.value, is: 0, "there is none to release")
        _ = row.read(outer)
        row.release(outer)
        expect(log.value, is: ["Inner"])
        let child = row.read(outer)
        row.release(outer)
        expect(row.current(outer), is: nil)
        expect(row.read(outer) !== child)
        expect(child.outer === outer)
    }

    @Test(arguments: ChildRow.all)
    func `a parent is released with the child that was used`(_ row: ChildRow) {
        var outer: Outer? = Outer(log)
        weak let leaf = outer.map(row.read)?.innermost
        expect(leaf, is: nil)
        outer = nil
        expect(log.value, is: row.isRetained ? ["Innermost", "Outer", "Inner"] : ["Innermost", "Inner", "Outer"])
    }

    @Test(arguments: ChildRow.all)
    func `a held leaf is released before the parents that it holds`(_ row: ChildRow) {
        var outer: Outer? = Outer(log)
        var inner = outer.map(row.read), innermost = inner?.innermost
        weak let parent = outer
        (outer, inner) = (nil, nil)
        expect(log.value, is: row.isRetained ? ["Outer"] : [])
        expect(innermost?.inner.outer === parent)
        expect(parent == nil, is: row.isRetained)
        expect(parent.flatMap(row.current) === (row.isRetained ? nil : innermost?.inner))
        innermost = nil
        expect(log.value, is: row.isRetained ? ["Outer", "Innermost", "Inner"] : ["Innermost", "Inner", "Outer"])
    }

    @Test(arguments: ChildRow.all)
    func `sixty four threads get one child and one leaf`(_ row: ChildRow) {
        for _ in 0..<Sanitizer.rounds(50) {
            let outer = Outer()
            // Creates the lazy variable, which threads may not do.
            _ = row.current(outer)
            let got = Box<[Innermost]>([])
            Threads.run(64) { _ in got.append(row.read(outer).innermost) }
            expect(Set(got.value.map(ObjectIdentifier.init)).count, is: 1)
            expect(outer.made.value, is: 1)
        }
    }

    final class App: Feature.Parent, @unchecked Sendable {
        let model = Leaf()
        @ChildScope({ Feature(parent: $0 as App) }) var feature: Feature
    }

    class Feature: Item.Parent, @unchecked Sendable {
        protocol Parent { var model: Leaf { get } }

        let parent: any Parent
        var model: Leaf { parent.model }
        @ChildScope({ Item(parent: $0 as Feature) }) var item: Item

        init(parent: any Parent) { self.parent = parent }
    }

    final class Item {
        protocol Parent { var model: Leaf { get } }

        let parent: any Parent
        init(parent: any Parent) { self.parent = parent }
    }

    struct MockApp: Feature.Parent { let model = Leaf() }

    final class MockFeature: Feature, @unchecked Sendable { init() { super.init(parent: MockApp()) } }

    @Test func `a leaf gets a service of the root, or of its mock, through the contracts between them`() {
        let app = App()
        for feature in [app.feature, Feature(parent: MockApp()), MockFeature()] {
            let item = feature.item
            expect(feature.item === item)
            expect(item.parent as? Feature === feature)
            expect(item.parent.model === feature.parent.model)
        }
        expect(app.feature.item.parent.model === app.model)
    }
}

/// A form of a child property, and what the contract leaves to it.
struct ChildRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isRetained = false
    let read: @Sendable (Outer) -> Inner
    let current: @Sendable (Outer) -> Inner?
    let release: @Sendable (Outer) -> Void

    static let all = [
        ChildRow(testDescription: "Weak(of:)", read: \.weak.value, current: \.weak.current) { $0.weak.release() },
        ChildRow(testDescription: "Weak with a closure", read: \.closure.value, current: \.closure.current) {
            $0.closure.release()
        },
        ChildRow(testDescription: "@ChildScope", read: \.property, current: \.$property.current) {
            $0.$property.release()
        },
        ChildRow(
            testDescription: "@ChildScope, retained", isRetained: true, read: \.retained, current: \.$retained.current
        ) { $0.$retained.release() },
    ]
}

// A tree of plain classes. Their stored properties are constant, hence the `@unchecked`.

/// A scope with a child in each form.
final class Outer: @unchecked Sendable {
    let made = Box(0)
    let log: Box<[String]>
    lazy var weak: Weak<Inner> = Weak(of: self) { Inner($0) }
    lazy var closure: Weak<Inner> = Weak({ [unowned self] in Inner(self) })
    @ChildScope({ Inner($0 as Outer) }) var property: Inner
    @ChildScope({ Inner($0 as Outer, holdsOuter: false) }, .retained) var retained: Inner

    init(_ log: Box<[String]> = Box([])) { self.log = log }
    deinit { log.append("Outer") }
}

final class Inner: @unchecked Sendable {
    weak let outer: Outer?
    private let held: Outer?
    let log: Box<[String]>
    @ChildScope({ Innermost($0 as Inner) }) var innermost: Innermost

    init(_ outer: Outer, holdsOuter: Bool = true) {
        (self.outer, held, log) = (outer, holdsOuter ? outer : nil, outer.log)
        outer.made.increment()
    }

    deinit { log.append("Inner") }
}

final class Innermost: Sendable {
    let inner: Inner
    init(_ inner: Inner) { self.inner = inner }
    deinit { inner.log.append("Innermost") }
}
