import Testing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("cart", "cart", 0), ("cart", "card", 1), ("cart", "art", 1),
        ("kitten", "sitting", 3), ("Profil", "Profile", 1), ("abcd", "badc", 3),
    ])
    func `two words' distance is the number of edits up to a limit`(_ left: String, _ right: String, _ distance: Int) {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        expect(EditDistance.between(left, right, atMost: distance), is: distance)
        expect(EditDistance.between(right, left, atMost: distance), is: distance)
        expect(EditDistance.between(left, right, atMost: distance - 1), is: nil)
    }
}
