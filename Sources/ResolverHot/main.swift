import Dispatch
import Foundation

// Runs one operation a number of times, for `.ci/hot` to count its instructions: ResolverHot OPERATION COUNT [OTHERS]
// `OTHERS` is in the names of services that stand beside those of the operation.

let operations = Operations.all()
guard CommandLine.arguments.count > 2, let count = Int(CommandLine.arguments[2]) else {
    print(operations.map(\.name).joined(separator: "\n"))
    exit(0)
}
guard let operation = operations.first(where: { $0.name == CommandLine.arguments[1] }) else {
    fatalError("there is no operation \(CommandLine.arguments[1])")
}
switch operation.body {
case .synchronous(let body): body(count)
case .asynchronous(let body):
    let hasEnded = DispatchSemaphore(value: 0)
    Task.detached {
        do { try await body(count) } catch { fatalError("\(error)") }
        hasEnded.signal()
    }
    hasEnded.wait()
}
