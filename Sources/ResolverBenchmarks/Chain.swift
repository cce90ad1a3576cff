import Resolver

// A chain of ten services, each of which depends on the next.

final class Link1 {
    let next: Link2
    init(_ next: Link2) { self.next = next }
}
final class Link2 {
    let next: Link3
    init(_ next: Link3) { self.next = next }
}
final class Link3 {
    let next: Link4
    init(_ next: Link4) { self.next = next }
}
final class Link4 {
    let next: Link5
    init(_ next: Link5) { self.next = next }
}
final class Link5 {
    let next: Link6
    init(_ next: Link6) { self.next = next }
}
final class Link6 {
    let next: Link7
    init(_ next: Link7) { self.next = next }
}
final class Link7 {
    let next: Link8
    init(_ next: Link8) { self.next = next }
}
final class Link8 {
    let next: Link9
    init(_ next: Link9) { self.next = next }
}
final class Link9 {
    let next: Link10
    init(_ next: Link10) { self.next = next }
}
final class Link10 { let value = 1 }

/// Each factory resolves its dependency from the resolver that it receives.
func resolverWithChain() -> Resolver {
    let resolver = Resolver()
    resolver.register { resolver in Link1(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link2(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link3(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link4(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link5(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link6(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link7(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link8(resolver.resolve()) }.scope(.unique)
    resolver.register { resolver in Link9(resolver.resolve()) }.scope(.unique)
    resolver.register { Link10() }.scope(.unique)
    return resolver
}

extension Resolver {
    /// Registers the chain on `main`, with the static functions.
    static func registerChain() {
        register { Link1(resolve()) }.scope(.unique)
        register { Link2(resolve()) }.scope(.unique)
        register { Link3(resolve()) }.scope(.unique)
        register { Link4(resolve()) }.scope(.unique)
        register { Link5(resolve()) }.scope(.unique)
        register { Link6(resolve()) }.scope(.unique)
        register { Link7(resolve()) }.scope(.unique)
        register { Link8(resolve()) }.scope(.unique)
        register { Link9(resolve()) }.scope(.unique)
        register { Link10() }.scope(.unique)
    }
}

func makeChainByHand() -> AnyObject {
    Link1(Link2(Link3(Link4(Link5(Link6(Link7(Link8(Link9(Link10())))))))))
}
