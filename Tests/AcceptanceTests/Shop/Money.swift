extension Int {
    /// An amount in cents, for people.
    var asMoney: String {
        let cents = self % 100
        return "\(self / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}
