/// A connection that is open as long as a service uses it.
final class MailConnection {
    private(set) var sent: [String] = []

    func send(_ text: String) { sent.append(text) }
}
