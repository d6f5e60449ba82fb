import Foundation

/// Sends one request over and over, over several connections that stay open.
///
/// Plain sockets: what a full HTTP client costs would be measured with the server otherwise.
struct RequestLoad: Sendable {
  let host: String
  let port: Int
  /// Head and body as they go out.
  let request: [UInt8]
  /// The status that every reply must have.
  let expected: Int
  let seconds: Double
  /// Requests a second of all connections together; nil: each goes out when the reply before is in.
  var rate: Double?

  struct Outcome: Sendable {
    var count = 0
    /// From when a request was due, which is when it went out where there is no rate, so that one slow reply is not told
    /// as one where it held up the next.
    var times = Times()
  }

  /// A request as text: head and body.
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
    // A thread each: a pool would run some of them after the others.
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
      guard status == expected else { throw Complaint("a request was answered with \(status)") }
      outcome.count += 1
      outcome.times.add(due.duration(to: clock.now))
    }
  }
}
