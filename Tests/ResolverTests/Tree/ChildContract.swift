import Resolver
import Testing

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
