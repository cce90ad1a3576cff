@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    var body: Body { get }
}

extension Never: View { public var body: Never { fatalError("Never has no body.") } }

public struct TextField: View {
    public let text: Binding<String>

    public init(_ title: String, text: Binding<String>) { self.text = text }

    public var body: Never { fatalError("A text field has no body.") }
}
