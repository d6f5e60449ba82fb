import Foundation
import MienPlatform
import Synchronization
import Testing

@testable import MienBlobs

private final class Counter: Sendable {
  let count = Mutex(0)
}

/// Threads for blocking file I/O. Each test has its own pool, since other tests use the threads of the shared one.
@Suite struct `File I/O thread pool` {
  private let pool = FileIOThreadPool()

  @Test func `a task stays on the pool across waits and leaves it at the end`() async throws {
    #expect(!FileIOThreadPool.isCurrentThread)
    try await pool.run {
      #expect(FileIOThreadPool.isCurrentThread)
      _ = try await pool.wait { 1 }
      await Task.detached {}.value
      #expect(FileIOThreadPool.isCurrentThread)
    }
    #expect(!FileIOThreadPool.isCurrentThread)
  }

  @Test func `blocking work runs on the pool wherever it is called from`() async throws {
    #expect(try await pool.wait { FileIOThreadPool.isCurrentThread })
    #expect(try await pool.run { try await pool.wait { FileIOThreadPool.isCurrentThread } })
  }

  @Test func `a detached task started on the pool does not run on it`() async throws {
    let other = try await pool.run { Task.detached { FileIOThreadPool.isCurrentThread } }
    #expect(await !other.value)
  }

  @Test func `blocking calls run concurrently regardless of the processor count`() async throws {
    let most = 24
    let here = Counter()
    // Each call blocks until all have started: a pool that lets one wait for another never ends here.
    let ends = try await withThrowingTaskGroup { group in
      for _ in 0..<most {
        group.addTask {
          try await pool.wait {
            here.count.withLock { $0 += 1 }
            while here.count.withLock({ $0 }) < most { usleep(1000) }
            return true
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends.count == most)
  }

  @Test func `more tasks than threads share the pool`() async throws {
    let sum = try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask { try await pool.run { try await pool.wait { number } } }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 200 * 199 / 2)
  }

  @Test func `errors are propagated`() async {
    await #expect(throws: StoreError.self) {
      try await pool.wait { throw StoreError(.missing, reason: "gone") }
    }
    await #expect(throws: StoreError.self) {
      try await pool.run { throw StoreError(.missing, reason: "gone") }
    }
  }
}
