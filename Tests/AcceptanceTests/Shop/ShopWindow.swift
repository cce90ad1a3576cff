/// What is seen from the street: like every view, it belongs to the main actor.
@MainActor final class ShopWindow {
    private(set) var labels: [String]

    init(_ catalogue: Catalogue) {
        MainActor.preconditionIsolated()
        labels = catalogue.products.map(\.name)
    }
}
