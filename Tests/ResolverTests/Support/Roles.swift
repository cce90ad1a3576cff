// Services by their role.

/// Depends on nothing, so a factory may do anything else before it creates one.
protocol Plain { init() }

extension Plain { init(after steps: Any?...) { self.init() } }

final class Leaf: Sendable, Plain {}

/// Is not a `Leaf`.
final class OtherLeaf: Sendable, Plain {}

final class Holder<Part: Sendable>: Sendable {
    let part: Part
    init(_ part: Part) { self.part = part }
}

/// An argument that holds an object, and equals only those that hold the same.
struct Identity<Object: AnyObject & Sendable>: Hashable, Sendable {
    private let object: Object
    init(_ object: Object) { self.object = object }

    static func == (lhs: Identity, rhs: Identity) -> Bool { lhs.object === rhs.object }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

final class Half: @unchecked Sendable { var other: AnyObject? }

protocol Role: AnyObject, Sendable {}
protocol SecondRole: AnyObject, Sendable {}

final class Player: Role, SecondRole, Plain {}

class Base: @unchecked Sendable {}
final class Derived: Base, @unchecked Sendable {}

/// An actor other than the main one.
@globalActor actor Vault { static let shared = Vault() }

final class Counted: Sendable {
    let alive: Box<Int>

    init(_ alive: Box<Int>) {
        self.alive = alive
        alive.increment()
    }

    deinit { alive.update { $0 -= 1 } }
}

extension Box<Int> {
    /// Counts an instance that a factory returns.
    func counting<Instance>(_ instance: Instance) -> Instance {
        increment()
        return instance
    }
}

final class DeinitCallback: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
}

struct Failure: Error, Equatable { var number = 0 }
