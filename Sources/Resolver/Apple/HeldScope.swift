#if canImport(SwiftUI)
    import SwiftUI

    /// A scope that a view holds for as long as it is there.
    ///
    ///     struct MuseumView: View {
    ///         @HeldScope var museum = Museum()
    ///         var body: some View { museum.gallery.listView() }
    ///     }
    ///
    /// The scope is made when it is first read, and once, however often SwiftUI makes the value of the view anew. It need not
    /// be observable, and the view does not observe it. For a scope that is passed in and held by others as well, a constant
    /// is enough.
    @MainActor @preconcurrency @propertyWrapper
    public struct HeldScope<Scope: AnyObject>: DynamicProperty {
        /// SwiftUI keeps the first that it is given for a view.
        private final class Holder {
            private var make: (() -> Scope)?
            private var made: Scope?

            init(_ make: @escaping () -> Scope) {
                self.make = make
            }

            /// What the expression holds is let go of when the scope is there.
            var scope: Scope {
                if let made { return made }
                guard let make else { preconditionFailure("The expression of @HeldScope asks for its own scope.") }
                self.make = nil
                let scope = make()
                made = scope
                return scope
            }
        }

        @State private var holder: Holder

        /// Will make the scope with this expression.
        public init(wrappedValue make: @autoclosure @escaping () -> Scope) {
            _holder = State(initialValue: Holder(make))
        }

        /// The scope.
        public var wrappedValue: Scope { holder.scope }
    }
#endif
