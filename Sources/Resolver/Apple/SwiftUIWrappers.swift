#if canImport(SwiftUI)
    import SwiftUI

    /// An observable service that is resolved when the view is created, and that the view observes.
    ///
    ///     struct PageView: View {
    ///         @InjectedObject var model: PageModel
    ///         var body: some View { TextField("Title", text: $model.title) }
    ///     }
    ///
    /// Resolves from `Resolver.root`, or only from the container that is passed. Traps if the service is missing, as `resolve()` does.
    ///
    /// SwiftUI creates a view again each time its parent changes, and the wrapper resolves the service again. If the service has
    /// state to keep, give it a scope that keeps it, such as `.shared`.
    ///
    /// The wrapper is isolated to the main actor, like `ObservedObject` and every view, so a factory of the main actor may
    /// create the service.
    @MainActor @preconcurrency @propertyWrapper
    public struct InjectedObject<Service>: DynamicProperty where Service: ObservableObject {
        @ObservedObject private var service: Service

        /// Resolves the unnamed service from `Resolver.root`.
        public init(fileID: StaticString = #fileID, line: UInt = #line) {
            self.init(name: nil, container: nil, fileID: fileID, line: line)
        }

        /// Resolves a service by name, from a container.
        public init(
            name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
        ) {
            service =
                container?.resolve(Service.self, name: name, fileID: fileID, line: line)
                ?? Resolver.resolve(Service.self, name: name, fileID: fileID, line: line)
        }

        /// The service. An assignment replaces it in this wrapper only.
        public var wrappedValue: Service {
            get { service }
            mutating set { service = newValue }
        }

        /// Bindings to the properties of the service.
        public var projectedValue: ObservedObject<Service>.Wrapper { $service }
    }

    /// A scope that a view holds while it exists.
    ///
    ///     struct MuseumView: View {
    ///         @HeldScope var museum = Museum()
    ///         var body: some View { museum.gallery.listView() }
    ///     }
    ///
    /// The scope is created once, at the first read, although SwiftUI may create the value of the view many times. The scope need
    /// not be observable, and the view does not observe it. For a scope that is passed in and held elsewhere, a constant is
    /// enough.
    @MainActor @preconcurrency @propertyWrapper
    public struct HeldScope<Scope: AnyObject>: DynamicProperty {
        /// SwiftUI keeps the first holder of a view.
        private final class Holder {
            private var make: (() -> Scope)?
            private var made: Scope?

            init(_ make: @escaping () -> Scope) { self.make = make }

            /// The scope. Its creation releases the captures of the expression.
            var scope: Scope {
                if let made { return made }
                guard let make else { fatalError(Messages.heldScopeNeedsItself(Scope.self)) }
                self.make = nil
                let scope = make()
                made = scope
                return scope
            }
        }

        @State private var holder: Holder

        /// Creates a wrapper whose scope is the value of this expression.
        public init(wrappedValue make: @autoclosure @escaping () -> Scope) {
            _holder = State(initialValue: Holder(make))
        }

        /// The scope that this view holds, created at the first read.
        public var wrappedValue: Scope { holder.scope }
    }
#endif
