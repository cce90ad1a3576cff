#if canImport(SwiftUI)
    import SwiftUI

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
