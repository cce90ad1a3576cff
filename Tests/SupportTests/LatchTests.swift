import Testing

/// Latches for threads and for tasks, which open once.
@Suite struct LatchTests {
    @Test func `an opened latch releases all threads`() {
        let latch = Latch(), passed = AtomicWord(0)
        Threads.run(5) { index in
            if index == 0 { latch.open() } else { latch.wait() }
            _ = passed.add(1)
        }
        expect(passed.load(), is: 5)
        latch.wait()
        passed.deallocate()
    }

    @Test func `an opened latch releases all tasks`() async throws {
        let latch = TaskLatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { try await latch.wait() } }
            group.addTask { latch.open() }
            try await group.waitForAll()
        }
        try await latch.wait()
    }

    @Test func `a cancelled task stops waiting for a latch`() async {
        let latch = TaskLatch()
        let task = Task { try await latch.wait() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        latch.open()
    }

    @Test func `a cancelled task passes an open latch`() async throws {
        let latch = TaskLatch()
        latch.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await latch.wait()
        }
        try await task.value
    }
}
