import MienCore
import MienPlatform
import Testing

/// Scheduling order depending on the cost of previous work, without a clock.
@Suite struct `Fair queue` {
  private typealias Queue = FairQueue<String, Int>

  /// Processes the elements of `queue` one at a time for `total` of processing time; each key has one element in the
  /// queue or in progress.
  ///
  /// - Parameter costs: in milliseconds, by key.
  /// - Returns: the number of processed elements and the time they took, by key.
  private func serve(_ costs: [String: Int], total: Int) -> [String: (count: Int, time: Int)] {
    var queue = Queue(capacity: 100, capacityPerKey: 4)
    for key in costs.keys.sorted() { _ = queue.enqueue(0, for: key) }
    var served: [String: (count: Int, time: Int)] = [:]
    var used = 0
    while used < total, let next = queue.dequeue() {
      let cost = costs[next.key] ?? 0
      used += cost
      served[next.key, default: (0, 0)].count += 1
      served[next.key, default: (0, 0)].time += cost
      // The response is sent, and the next frame arrives, before another element is dequeued.
      _ = queue.enqueue(next.element + 1, for: next.key)
      queue.finish(next.key, cost: .milliseconds(Double(cost)))
    }
    return served
  }

  @Test func `expensive clients get no more time than others`() throws {
    var costs = ["attacker 1": 1200, "attacker 2": 1200]
    for person in 0..<6 { costs["person \(person)"] = 20 }
    let served = serve(costs, total: 80_000)
    let share = 80_000 / costs.count
    for (key, use) in served {
      // Within the deviation that one frame of each attacker can cause.
      #expect(abs(use.time - share) <= 2 * 1200, "\(key): \(use.time)")
    }
    for person in 0..<6 { #expect(try #require(served["person \(person)"]).count >= 370) }
  }

  @Test func `equal costs alternate`() {
    var queue = Queue(capacity: 10, capacityPerKey: 4)
    for number in 0..<3 {
      _ = queue.enqueue(number, for: "a")
      _ = queue.enqueue(number, for: "b")
    }
    var order: [String] = []
    while let next = queue.dequeue() {
      order.append("\(next.key)\(next.element)")
      queue.finish(next.key, cost: .milliseconds(10))
    }
    #expect(order.sorted() == ["a0", "a1", "a2", "b0", "b1", "b2"])
    // After the first element, whose cost was unknown, keys alternate.
    #expect(order.filter { $0.hasPrefix("a") } == ["a0", "a1", "a2"])
    #expect(abs(order.firstIndex(of: "a2")! - order.firstIndex(of: "b2")!) == 1)
  }

  @Test func `an idle client has no credit and does not wait for earlier usage of others`() {
    var queue = Queue(capacity: 10, capacityPerKey: 4)
    // `busy` has used much time; one of its elements stays queued, so that the queue retains that.
    for _ in 0..<4 { _ = queue.enqueue(0, for: "busy") }
    for _ in 0..<3 {
      _ = queue.dequeue()
      queue.finish("busy", cost: .seconds(1))
    }
    _ = queue.enqueue(0, for: "new")
    #expect(queue.dequeue()?.key == "new")
    queue.finish("new", cost: .milliseconds(1))
    _ = queue.enqueue(1, for: "new")
    #expect(queue.dequeue()?.key == "new")
  }

  @Test func `capacity is limited per key and in total`() {
    var queue = Queue(capacity: 3, capacityPerKey: 2)
    func queued(_ admission: Queue.Admission) -> Bool {
      if case .queued = admission { return true }
      return false
    }
    #expect(queued(queue.enqueue(0, for: "a")))
    #expect(queued(queue.enqueue(1, for: "a")))
    #expect(!queued(queue.enqueue(2, for: "a")))
    #expect(queued(queue.enqueue(0, for: "b")))
    #expect(!queued(queue.enqueue(0, for: "c")), "all have the same usage, so none is displaced")
    #expect(queue.count == 3)
  }

  @Test func `a full queue drops the last element of the key with the highest usage`() {
    var queue = Queue(capacity: 2, capacityPerKey: 4)
    _ = queue.enqueue(0, for: "costly")
    _ = queue.dequeue()
    _ = queue.enqueue(1, for: "costly")
    _ = queue.enqueue(2, for: "costly")
    queue.finish("costly", cost: .seconds(5))
    guard case .displaced(let element) = queue.enqueue(0, for: "new") else {
      Issue.record("nothing was displaced")
      return
    }
    #expect(element == 2)
    #expect(queue.count == 2)
    #expect(queue.dequeue()?.key == "new")
  }

  @Test func `elements of one key keep their order`() {
    var queue = Queue(capacity: 10, capacityPerKey: 10)
    for number in 0..<5 { _ = queue.enqueue(number, for: "a") }
    var seen: [Int] = []
    while let next = queue.dequeue() {
      seen.append(next.element)
      queue.finish("a", cost: .milliseconds(Double(next.element)))
    }
    #expect(seen == [0, 1, 2, 3, 4])
  }
}
