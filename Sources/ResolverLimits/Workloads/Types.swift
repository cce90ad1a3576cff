import Resolver

// Types made while the program runs: each number is a generic type whose arguments are its binary digits.

protocol NumberedType: AnyObject, SendableMetatype {
    static var doubled: any NumberedType.Type { get }
    static var doubledPlusOne: any NumberedType.Type { get }
    static func register(on resolver: Resolver)
    static func resolve(from resolver: Resolver)
    init()
}

extension NumberedType {
    static var doubled: any NumberedType.Type { Zero<Self>.self }
    static var doubledPlusOne: any NumberedType.Type { One<Self>.self }

    static func register(on resolver: Resolver) {
        resolver.register(Self.self) { Self() }.scope(.cached)
    }

    static func resolve(from resolver: Resolver) {
        _ = resolver.resolve(Self.self)
    }
}

final class Start: NumberedType {}
final class Zero<Digits: NumberedType>: NumberedType {}
final class One<Digits: NumberedType>: NumberedType {}

enum Types {
    /// Returns the first `count` types.
    static func make(_ count: Int) -> [any NumberedType.Type] {
        var types: [any NumberedType.Type] = [Start.self]
        var next = 0
        while types.count < count {
            types.append(types[next].doubled)
            types.append(types[next].doubledPlusOne)
            next += 1
        }
        return Array(types.prefix(count))
    }
}
