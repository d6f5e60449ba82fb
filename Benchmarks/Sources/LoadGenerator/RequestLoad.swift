import Foundation

/// Sends one request repeatedly over several persistent connections.
///
/// Uses plain sockets, so that the overhead of a full HTTP client is not measured.
struct RequestLoad: Sendable {
  let host: String
  let port: Int
  /// Bytes of header and body.
  let request: [UInt8]
  /// Expected status of every response.
  let expected: Int
  let seconds: Double
  /// Requests per second over all connections; `nil` to send each request after the previous response.
  var rate: Double?

  struct Outcome: Sendable {
    var count = 0
    /// Response times from when a request was due (when it was sent, if there is no rate), so that a slow response that
    /// delays subsequent requests counts for all of them.
    var times = Times()
  }

  /// Builds a request with header and body.
  static func request(
    _ method: String, _ path: String, host: String, port: Int, key: String?, body: String?
  ) -> [UInt8] {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\n"
    if let key { head += "Authorization: Bearer \(key)\r\n" }
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
    return Array((head + "\r\n" + (body ?? "")).utf8)
  }

  func run(connections: Int) throws -> Outcome {
    let lock = NSLock()
    nonisolated(unsafe) var sum = Outcome()
    nonisolated(unsafe) var failure: (any Error)?
    // One thread per connection: a thread pool would run some of them sequentially.
    let done = DispatchSemaphore(value: 0)
    for number in 0..<connections {
      Thread {
        do {
          let outcome = try one(number, of: connections)
          lock.withLock {
            sum.count += outcome.count
            sum.times.add(outcome.times)
          }
        } catch {
          lock.withLock { failure = error }
        }
        done.signal()
      }.start()
    }
    for _ in 0..<connections { done.wait() }
    if let failure { throw failure }
    return sum
  }

  private func one(_ number: Int, of connections: Int) throws -> Outcome {
    let connection = try Connection(host: host, port: port)
    var outcome = Outcome()
    let clock = ContinuousClock()
    let began = clock.now
    let gap = rate.map { Double(connections) / $0 }
    while true {
      var due = clock.now
      if let gap {
        due = began + .seconds((Double(outcome.count) + Double(number) / Double(connections)) * gap)
        let wait = clock.now.duration(to: due) / .seconds(1)
        if wait > 0 { Thread.sleep(forTimeInterval: wait) }
      }
      guard began.duration(to: due) / .seconds(1) < seconds else { return outcome }
      try connection.write(request)
      let status = try connection.readReply()
      guard status == expected else { throw LoadError("a request was answered with \(status)") }
      outcome.count += 1
      outcome.times.add(due.duration(to: clock.now))
    }
  }
}
