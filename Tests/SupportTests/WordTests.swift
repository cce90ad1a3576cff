import Testing

@Suite struct WordTests {
    @Test func `the words of a row are zero and adjacent`() {
        let row = AtomicWord.row(of: 5)
        defer { row.deallocate() }
        expect((0..<5).allSatisfy { row.next($0).load() == 0 })
        row.next(3).store(7)
        expect((0..<5).map { row.next($0).load() }, is: [0, 0, 0, 7, 0])
    }

    @Test(arguments: [1, 4, 8, 9, 100])
    func `a block is zero and begins a cache line`(of count: Int) {
        // Several blocks, because one may be aligned by chance.
        let blocks = (0..<50).map { _ in AtomicWord.block(of: count) }
        defer { for block in blocks { block.deallocateBlock() } }
        for block in blocks {
            expect(UInt(bitPattern: block.address) % 64, is: 0)
            expect((0..<count).allSatisfy { block.next($0).load() == 0 })
            for index in 0..<count { block.next(index).store(.max) }
        }
        let starts = blocks.map { UInt(bitPattern: $0.address) }.sorted()
        expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= UInt((count + 7) / 8 * 64) })
    }

    @Test func `each operation of a word returns its documented value`() {
        let word = AtomicWord(5)
        defer { word.deallocate() }
        expect(word.load(), is: 5)
        expect(word.add(2), is: 7, "the sum")
        expect(word.subtract(3), is: 7, "what was there")
        expect(word.exchange(9), is: 4, "what was there")
        var expected: UInt64 = 8
        expect(!word.replace(&expected, by: 1))
        expect(expected, is: 9, "what is there")
        expect(word.replace(&expected, by: 1))
        expect(word.load(), is: 1)
    }

    @Test func `concurrent additions are not lost`() {
        let word = AtomicWord(0)
        defer { word.deallocate() }
        Threads.run(4) { _ in for _ in 0..<10_000 { _ = word.add(1) } }
        expect(word.load(), is: 40_000)
    }

    @Test func `each process identity is unique`() {
        let numbers = Guarded<Set<UInt64>>([])
        Threads.run(4) { _ in
            let own = (0..<1000).map { _ in ProcessIdentity.next() }
            expect(own, is: own.sorted())
            numbers.withLock { $0.formUnion(own) }
        }
        expect(numbers.withLock { $0.count }, is: 4000)
    }
}
