/// The closures lack the SDK's isolation: only `ObservedObject` creates a binding here.
@frozen @propertyWrapper
public struct Binding<Value> {
    let get: () -> Value
    let set: (Value) -> Void

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}
