/// The type that the compiler requires for a property of type `Bool` with `@objc`.
@frozen
public struct ObjCBool { let value: Bool }

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value: value) }

public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.value }
