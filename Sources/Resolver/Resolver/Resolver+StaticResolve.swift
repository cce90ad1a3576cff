// The static spellings of the doors: they ask `root`.

extension Resolver {
    /// The service, from `root`. See the function of the same name on an instance.
    @inlinable @inline(__always)
    public static func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        if SlowPathReasons.isNone { return first.resolve(type, name: name, fileID: fileID, line: line) }
        return preparedRoot().resolve(type, name: name, fileID: fileID, line: line)
    }

    /// The service, from `root`. With arguments.
    @inlinable @inline(__always)
    public static func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        if SlowPathReasons.isNone { return first.resolve(type, name: name, args: args, fileID: fileID, line: line) }
        return preparedRoot().resolve(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// The service, from `root`, or nil. See the function of the same name on an instance.
    @inlinable @inline(__always)
    public static func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service? {
        if SlowPathReasons.isNone { return first.optional(type, name: name, fileID: fileID, line: line) }
        return preparedRoot().optional(type, name: name, fileID: fileID, line: line)
    }

    /// The service, from `root`, or nil. With arguments.
    @inlinable @inline(__always)
    public static func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service? {
        if SlowPathReasons.isNone { return first.optional(type, name: name, args: args, fileID: fileID, line: line) }
        return preparedRoot().optional(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// The service, from `root`, or the reason why there is none. See the function of the same name on an instance.
    @inlinable @inline(__always)
    public static func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(ResolutionError) -> Service {
        if SlowPathReasons.isNone { return try first.tryResolve(type, name: name, fileID: fileID, line: line) }
        return try preparedRoot().tryResolve(type, name: name, fileID: fileID, line: line)
    }

    /// The service, from `root`, or the reason why there is none. With arguments.
    @inlinable @inline(__always)
    public static func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> Service {
        if SlowPathReasons.isNone {
            return try first.tryResolve(type, name: name, args: args, fileID: fileID, line: line)
        }
        return try preparedRoot().tryResolve(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// The instance that is kept for the service, from `root`. See the function of the same name on an instance.
    @inlinable @inline(__always)
    public static func existing<Service>(_ type: Service.Type = Service.self, name: Resolver.Name? = nil) -> Service? {
        if SlowPathReasons.isNone { return first.existing(type, name: name) }
        return preparedRoot().existing(type, name: name)
    }

    /// `root`, after the app's registrations have been made: they may replace it.
    @usableFromInline
    static func preparedRoot() -> Resolver {
        // An error here comes again, and with the service that was asked for, when the root is asked.
        try? Bootstrap.shared.run()
        return root
    }
}
