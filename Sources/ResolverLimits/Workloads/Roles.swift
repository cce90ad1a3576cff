import Resolver

// The services of all workloads.

protocol Role {}

final class Leaf: Role, Sendable {}

final class Pair: Sendable {
    let left: Leaf
    let right: Leaf
    init(_ left: Leaf, _ right: Leaf) { (self.left, self.right) = (left, right) }
}

/// An object whose `deinit` resolves.
final class Parting: Sendable {
    let resolver: Resolver
    init(_ resolver: Resolver) { self.resolver = resolver }
    deinit { _ = resolver.resolve(Leaf.self) }
}

func names(_ count: Int) -> [Resolver.Name] {
    (0..<count).map { Resolver.Name("service \($0)") }
}
