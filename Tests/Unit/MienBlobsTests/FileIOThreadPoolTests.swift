import Foundation
import MienPlatform
import Synchronization
import Testing

@testable import MienBlobs

private final class Counter: Sendable {
  let count = Mutex(0)
}

/// Threads for blocking file I/O.
@Suite struct `File I/O thread pool` {
  @Test func `a task stays on the pool across waits and leaves it at the end`() async throws {
    #expect(!FileIOThreadPool.isHere)
    try await FileIOThreadPool.run {
      #expect(FileIOThreadPool.isHere)
      _ = try await FileIOThreadPool.wait { 1 }
      await Task.detached {}.value
      #expect(FileIOThreadPool.isHere)
    }
    #expect(!FileIOThreadPool.isHere)
  }

  @Test func `blocking work runs on the pool wherever it is called from`() async throws {
    #expect(try await FileIOThreadPool.wait { FileIOThreadPool.isHere })
    #expect(try await FileIOThreadPool.run { try await FileIOThreadPool.wait { FileIOThreadPool.isHere } })
  }

  @Test func `a detached task started on the pool does not run on it`() async throws {
    let other = try await FileIOThreadPool.run { Task.detached { FileIOThreadPool.isHere } }
    #expect(await !other.value)
  }

  @Test func `blocking calls run concurrently regardless of the processor count`() async throws {
    let most = 24
    let here = Counter()
    // Each one blocks until all have started, as if waiting for a slow disk.
    let seen = try await withThrowingTaskGroup { group in
      for _ in 0..<most {
        group.addTask {
          try await FileIOThreadPool.wait {
            here.count.withLock { $0 += 1 }
            for _ in 0..<120_000 where here.count.withLock({ $0 }) < most { usleep(1000) }
            return here.count.withLock { $0 }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(seen == [Int](repeating: most, count: most))
  }

  @Test func `more tasks than threads share the pool`() async throws {
    let sum = try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask { try await FileIOThreadPool.run { try await FileIOThreadPool.wait { number } } }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 200 * 199 / 2)
  }

  @Test func `errors are propagated`() async {
    await #expect(throws: StoreError.self) {
      try await FileIOThreadPool.wait { throw StoreError(.missing, reason: "gone") }
    }
    await #expect(throws: StoreError.self) {
      try await FileIOThreadPool.run { throw StoreError(.missing, reason: "gone") }
    }
  }
}
