import Testing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("cart", "cart", 0), ("cart", "card", 1), ("cart", "art", 1),
        ("kitten", "sitting", 3), ("Profil", "Profile", 1), ("abcd", "badc", 3),
    ])
    func `the distance of two words is the number of edits between them, if it is not above the limit`(
        _ left: String, _ right: String, _ distance: Int
    ) {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        #expect(EditDistance.between(left, right, atMost: distance) == distance)
        #expect(EditDistance.between(right, left, atMost: distance) == distance)
        #expect(EditDistance.between(left, right, atMost: distance - 1) == nil)
    }
}
