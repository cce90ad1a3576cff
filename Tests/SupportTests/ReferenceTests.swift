import Testing

/// Unretained references, and references in words.
@Suite struct ReferenceTests {
    private let alive = Guarded(0)

    @Test func `an unretained reference does not retain its object`() {
        var probe: Probe? = Probe(alive)
        let reference = probe.map { Unretained($0) }
        expect(reference?.use { $0 === probe }, is: true)
        expect(reference?.object === probe)
        probe = nil
        expect(alive.value, is: 0)
    }

    @Test func `references to one object are equal`() {
        let (one, other) = (Probe(alive), Probe(alive))
        expect(Unretained(one), is: Unretained(one))
        expect(Unretained(one) != Unretained(other))
        expect(Unretained(one).refers(to: one))
        expect(!Unretained(one).refers(to: other))
        expect(Unretained<Probe>(word: Unretained(one).word), is: Unretained(one))
        expect(Unretained<Probe>(word: 0), is: nil)
        withExtendedLifetime((one, other)) {}
    }

    @Test func `a published object stays until it is exchanged`() {
        let word = AtomicWord(0)
        defer { word.deallocate() }
        let reference = PublishedReference<Probe>(at: word)
        expect(reference.isEmpty)
        expect(reference.current, is: nil)
        reference.fill(Probe(alive))
        expect(!reference.isEmpty)
        expect(alive.value, is: 1)
        expect(reference.present, is: reference.current)
        expect(reference.exchange(Probe(alive)) != nil)
        expect(alive.value, is: 1, "the first one is gone")
        expect(reference.exchange(nil) != nil)
        expect(alive.value, is: 0)
        expect(reference.exchange(nil), is: nil)
    }
}
