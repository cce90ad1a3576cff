/// The options of the command line.
struct Options {
    private(set) var check = false
    private(set) var quick = false
    private(set) var json = false
    /// The named workloads, or all.
    private(set) var workloads: [Workload] = []

    static var usage: String {
        """
        usage: ResolverLimits [--check] [--quick] [--json] [WORKLOAD ...]

          --check  exits with 1 when something grows faster than it should, crashes or hangs
          --quick  uses a tenth of the sizes
          --json   prints JSON instead of tables

        Workloads: \(Workload.all.map(\.name).joined(separator: ", "))
        """
    }

    /// nil if an argument is unknown.
    init?(_ arguments: some Sequence<String>) {
        for argument in arguments {
            switch argument {
            case "--check": check = true
            case "--quick": quick = true
            case "--json": json = true
            default:
                guard let workload = Workload.all.first(where: { $0.name == argument }) else { return nil }
                workloads.append(workload)
            }
        }
        if workloads.isEmpty { workloads = Workload.all }
    }
}
