/// An instance of a service in a program.
class Item: @unchecked Sendable {
    let number: Int
    private let run: ProgramRun
    private let farewell: [Step]
    /// The dependencies it was made with.
    var parts: [Any] = []

    required init(_ number: Int, _ run: ProgramRun, _ farewell: [Step]) {
        self.number = number
        self.run = run
        self.farewell = farewell
    }

    deinit {
        parts = []
        run.isGone(number, farewell)
    }
}

protocol Duty: AnyObject, Sendable {}

final class A: Item, Duty, @unchecked Sendable {}
final class B: Item, Duty, @unchecked Sendable {}
final class C: Item, @unchecked Sendable {}

/// A value.
struct Token: Sendable {
    let item: Item
}

/// The types that programs register and resolve.
enum Kind: Int, CaseIterable, Sendable, CustomStringConvertible {
    case a, b, c, duty, token

    var description: String {
        switch self {
        case .a: "A"
        case .b: "B"
        case .c: "C"
        case .duty: "Duty"
        case .token: "Token"
        }
    }
}

/// An operation of a program on a service whose type is known by number.
protocol KindVisitor {
    associatedtype Result
    func visit<Service: Sendable>(_ face: Face<Service>) throws -> Result
}

/// A type of service and its implementation.
struct Face<Service: Sendable>: Sendable {
    let make: @Sendable (Int, ProgramRun, [Step]) -> Service
    let item: @Sendable (Service) -> Item
}

extension Kind {
    func accept<Visitor: KindVisitor>(_ visitor: Visitor) throws -> Visitor.Result {
        switch self {
        case .a: try visitor.visit(Face<A>(make: { A($0, $1, $2) }, item: { $0 }))
        case .b: try visitor.visit(Face<B>(make: { B($0, $1, $2) }, item: { $0 }))
        case .c: try visitor.visit(Face<C>(make: { C($0, $1, $2) }, item: { $0 }))
        case .duty: try visitor.visit(Face<any Duty>(make: { B($0, $1, $2) }, item: Kind.item))
        case .token: try visitor.visit(Face<Token>(make: { Token(item: Item($0, $1, $2)) }, item: { $0.item }))
        }
    }

    @Sendable private static func item(_ duty: any Duty) -> Item {
        guard let item = duty as? Item else { preconditionFailure("only items have duties") }
        return item
    }
}
