import Testing

/// What opens once, for threads and for tasks.
@Suite struct LatchTests {
    @Test func `all threads go on when it opens`() {
        let latch = Latch()
        let passed = AtomicWord(0)
        Threads.run(5) { index in
            if index == 0 { latch.open() } else { latch.wait() }
            _ = passed.add(1)
        }
        #expect(passed.load() == 5)
        latch.wait()
        passed.deallocate()
    }

    @Test func `all tasks go on when it opens`() async throws {
        let latch = TaskLatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { try await latch.wait() } }
            group.addTask { latch.open() }
            try await group.waitForAll()
        }
        try await latch.wait()
    }

    @Test func `a task that is cancelled gives up`() async {
        let latch = TaskLatch()
        let task = Task { try await latch.wait() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        latch.open()
    }

    @Test func `an open latch is passed by a cancelled task as well`() async throws {
        let latch = TaskLatch()
        latch.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await latch.wait()
        }
        try await task.value
    }
}
