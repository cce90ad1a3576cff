/// Without the isolation of the SDK's closures: nothing here makes one but `ObservedObject`.
@frozen @propertyWrapper
public struct Binding<Value> {
    let get: () -> Value
    let set: (Value) -> Void

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}
