import Resolver

/// What one registration, or one scope, hands out, with the number of its owner.
final class Reply: Role, Sendable {
    /// The owner of the services that a resolver registers for all callers.
    static let shared = -1

    let owner: Int
    init(_ owner: Int) { self.owner = owner }
}

/// Threads that register `Reply` again and again while others use scopes.
struct BusyResolver: Sendable {
    /// Where the other threads register.
    enum Place: String, CaseIterable {
        case same
        case below
        /// In a resolver that is searched before it, and is not asked.
        case front
        case isolating
    }

    let asked: Resolver
    private let busy: Resolver

    /// - Parameter base: the resolver with the services that are not registered again.
    init(_ place: Place, over base: Resolver = Resolver()) {
        asked = base
        switch place {
        case .same: busy = base
        case .below:
            busy = Resolver()
            base.add(child: busy)
        case .front: busy = Resolver(child: base)
        case .isolating: busy = Resolver(isolating: base)
        }
    }

    /// How often each busy thread registers at most: what is replaced takes memory until its resolver ends.
    private static let rounds = Sanitizer.rounds(10_000)

    /// Registers for all callers on two threads, while `body` runs on `count` others.
    func run(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
        let left = Box(count)
        Threads.run(count + 2) { index in
            guard index >= count else {
                body(index)
                left.update { $0 -= 1 }
                return
            }
            for _ in 0..<BusyResolver.rounds where left.value > 0 {
                busy.register { Reply(Reply.shared) }.implements(Role.self)
                if index == count { busy.register(Reply.self) { Reply(Reply.shared) }.scope(.cached) }
            }
        }
    }
}
