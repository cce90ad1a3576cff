/// The SDK has it in Combine, which SwiftUI exports.
public protocol ObservableObject: AnyObject {}

/// The strictest form that any SDK has had: in some, the initialisers are not isolated.
@MainActor @preconcurrency @propertyWrapper @frozen
public struct ObservedObject<ObjectType>: DynamicProperty where ObjectType: ObservableObject {
    @dynamicMemberLookup @frozen
    public struct Wrapper {
        let root: ObjectType

        public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<
            Subject
        > {
            let root = root
            return Binding(get: { root[keyPath: keyPath] }, set: { root[keyPath: keyPath] = $0 })
        }
    }

    public var wrappedValue: ObjectType
    public var projectedValue: Wrapper { Wrapper(root: wrappedValue) }

    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
}
