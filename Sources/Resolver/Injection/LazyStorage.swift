/// What a lazy property wrapper has resolved, or will.
///
/// Exactly one thread resolves; the others that read wait for it and for nothing else. A service whose making reads the
/// same property again is an error, also across threads.
final class LazyStorage<Service>: Sendable {
    private let cell = InstanceCell()

    init() {}

    /// Storage that has been given its service.
    init(_ service: Service) {
        _ = try? box { service }
    }

    /// The service, if it is there; never resolves.
    var existing: Service? {
        cell.kept.map(LazyStorage.unbox)
    }

    /// The service; `resolve` is called by the first to ask.
    func service(_ callSite: SourceLocation, resolve: () -> Service) -> Service {
        do throws(ResolutionError) {
            return LazyStorage.unbox(try box(resolve))
        } catch {
            fatalError(error.asked(at: callSite).description, file: callSite.fileID, line: callSite.line)
        }
    }

    private func box(_ resolve: () -> Service) throws(ResolutionError) -> AnyObject {
        try cell.object(of: .property(Service.self, in: cell), strength: .strong) { InstanceBox(resolve()) }
    }

    /// Nothing but what `box` made is ever in the cell.
    private static func unbox(_ object: AnyObject) -> Service {
        unsafeDowncast(object, to: InstanceBox<Service>.self).service
    }
}
