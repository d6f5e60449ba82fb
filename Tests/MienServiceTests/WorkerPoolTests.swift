import Foundation
import MienService
import Synchronization
import Testing
import MienWorkers

@Suite struct `Threads for long work` {
  @Test func `work and tasks run on them, and bring back what they make or throw`() async throws {
    let pool = WorkerPool(label: "test", threads: 2)
    #expect(await pool.run { 6 * 7 } == 42)
    #expect(try await pool.runTask { try await pool.run { 1 } + 1 } == 2)
    await #expect(throws: CancellationError.self) { try await pool.run { throw CancellationError() } }
  }

  @Test func `no more run at a time than there are threads`() async {
    let pool = WorkerPool(label: "test", threads: 3)
    let running = Mutex((now: 0, most: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await pool.run {
            running.withLock { running in
              running.now += 1
              running.most = max(running.most, running.now)
            }
            Thread.sleep(forTimeInterval: 0.001)
            running.withLock { $0.now -= 1 }
          }
        }
      }
    }
    #expect(running.withLock { $0.most } <= 3)
  }

  @Test func `work that blocks every thread of a pool blocks no task outside it`() async {
    let pool = WorkerPool(label: "test", threads: 2)
    let gate = DispatchSemaphore(value: 0)
    async let first: Void = pool.run { gate.wait() }
    async let second: Void = pool.run { gate.wait() }
    // As many tasks as there could be threads, and more.
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
