import Foundation
import MienWorkers
import Synchronization
import Testing

@Suite struct `Worker pool` {
  @Test func `work and tasks run on the pool and return values and errors`() async throws {
    let pool = WorkerPool(label: "test", threads: 2)
    #expect(await pool.run { 6 * 7 } == 42)
    #expect(try await pool.runTask { await pool.run { 1 } + 1 } == 2)
    await #expect(throws: CancellationError.self) { try await pool.run { throw CancellationError() } }
  }

  @Test func `concurrency is limited to the number of threads`() async {
    let pool = WorkerPool(label: "test", threads: 3)
    let running = RunningCount()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await pool.run {
            running.enter()
            Thread.sleep(forTimeInterval: 0.001)
            running.leave()
          }
        }
      }
    }
    #expect(running.most <= 3)
  }

  @Test func `blocked pool threads do not block other tasks`() async {
    let pool = WorkerPool(label: "test", threads: 2)
    let gate = DispatchSemaphore(value: 0)
    async let first: Void = pool.run { gate.wait() }
    async let second: Void = pool.run { gate.wait() }
    // More tasks than possible threads.
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 { group.addTask { number } }
      return await group.reduce(0, +)
    }
    #expect(sum == 4950)
    gate.signal()
    gate.signal()
    _ = await (first, second)
  }
}

/// Counts concurrently running work.
private final class RunningCount: Sendable {
  private let count = Mutex((now: 0, most: 0))

  var most: Int { count.withLock { $0.most } }

  func enter() {
    count.withLock { count in
      count.now += 1
      count.most = max(count.most, count.now)
    }
  }

  func leave() { count.withLock { $0.now -= 1 } }
}
