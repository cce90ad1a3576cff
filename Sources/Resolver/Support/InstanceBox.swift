/// Holds a kept instance that is not a plain object: a value, or an object behind a protocol.
@usableFromInline
final class InstanceBox<Service> {
    @usableFromInline let service: Service

    init(_ service: Service) {
        self.service = service
    }
}
