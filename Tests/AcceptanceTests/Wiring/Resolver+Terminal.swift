import Resolver

extension Resolver {
    /// What every customer at the terminal has of their own, and every page.
    static func registerTerminal() {
        register { WishList() }
            .scoped(to: .session)
            .noted(for: .session)
        register { Pictures() }
            .scoped(to: .screen)
            .noted(for: .screen)
    }
}
