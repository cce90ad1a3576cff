#if canImport(ObjectiveC)
    @_exported import ObjectiveC
#endif

// The module of watchOS has no view controllers.
#if !os(watchOS)
    @MainActor
    open class UIViewController { public init() {} }
#endif
