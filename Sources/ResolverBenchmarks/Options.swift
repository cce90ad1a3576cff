/// The options of the command line.
struct Options {
    private(set) var check = false
    private(set) var quick = false
    private(set) var jsonPath: String?

    static let usage = "usage: ResolverBenchmarks [--check] [--quick] [--json FILE]"

    /// nil if an argument is unknown, or if limits are combined with a pass that is too short to judge.
    init?(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--check": check = true
            case "--quick": quick = true
            case "--json":
                guard let path = arguments.next() else { return nil }
                jsonPath = path
            default: return nil
            }
        }
        if check, quick { return nil }
    }
}
