/// What a lazy property wrapper has resolved, or will.
///
/// Exactly one thread resolves; the others that read wait for it and for nothing else. A service whose making reads the
/// same property again is an error, also across threads.
final class LazyStorage<Service>: Sendable {
    private let cell = CreationCell()

    init() {}

    /// Storage that has been given its service.
    init(_ service: Service) {
        fill(with: service)
    }

    private func fill(with service: Service) {
        guard
            case .create(let creation)? = try? cell.enter(
                ResolutionCycle.current, subject: .property(Service.self))
        else { return }
        _ = cell.finish(creation, with: InstanceBox(service), grip: .strong)
    }

    /// The service, if it is there; never resolves.
    var existing: Service? {
        cell.kept.map { unsafeDowncast($0, to: InstanceBox<Service>.self).service }
    }

    /// The service; `resolve` is called by the first to ask.
    func service(_ callSite: SourceLocation, resolve: () -> Service) -> Service {
        let subject = PathElement.property(Service.self)
        do throws(ResolutionError) {
            switch try cell.enter(ResolutionCycle.current, subject: subject) {
            case .take(let box):
                return unsafeDowncast(box, to: InstanceBox<Service>.self).service
            case .create(let creation):
                let service = resolve()
                _ = cell.finish(creation, with: InstanceBox(service), grip: .strong)
                return service
            case .makeOwn, .lookAgain, .wait:
                return resolve()
            case .reentered:
                throw ResolutionCycle.current.makingPath.circle(closedBy: subject)
            }
        } catch {
            fatalError(error.asked(at: callSite).description, file: callSite.fileID, line: callSite.line)
        }
    }
}
