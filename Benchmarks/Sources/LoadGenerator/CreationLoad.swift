import Foundation

/// Creates checks as fast as the server does it, over several connections that stay open.
///
/// Plain sockets: what a full HTTP client costs would be measured with the server otherwise.
struct CreationLoad {
  let host: String
  let port: Int
  let key: String
  let seconds: Double

  struct Outcome: Sendable {
    var created = 0
    var times = Times()
  }

  func run(connections: Int) throws -> Outcome {
    let lock = NSLock()
    nonisolated(unsafe) var sum = Outcome()
    nonisolated(unsafe) var failure: (any Error)?
    // A thread each: a pool would run some of them after the others.
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<connections {
      Thread {
        do {
          let outcome = try one()
          lock.withLock {
            sum.created += outcome.created
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

  private func one() throws -> Outcome {
    let connection = try Connection(host: host, port: port)
    let request = Array(
      """
      POST /v1/checks HTTP/1.1\r
      Host: \(host):\(port)\r
      Authorization: Bearer \(key)\r
      Content-Type: application/json\r
      Content-Length: 2\r
      \r
      {}
      """.utf8)
    var outcome = Outcome()
    let clock = ContinuousClock()
    let began = clock.now
    while began.duration(to: clock.now) / .seconds(1) < seconds {
      let sent = clock.now
      try connection.write(request)
      let status = try connection.readReply()
      guard status == 201 else { throw Complaint("creating a check was answered with \(status)") }
      outcome.created += 1
      outcome.times.add(sent.duration(to: clock.now))
    }
    return outcome
  }
}

/// One connection over IPv4 that stays open.
private final class Connection {
  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  init(host: String, port: Int) throws {
    #if canImport(Glibc)
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard connected == 0 else { throw Complaint("cannot connect to \(host):\(port)") }
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  func write(_ bytes: [UInt8]) throws {
    guard send(socket, bytes, bytes.count, 0) == bytes.count else { throw Complaint("the connection broke") }
  }

  /// Reads one reply with a `Content-Length` and returns its status.
  func readReply() throws -> Int {
    var have = 0
    while true {
      let count = recv(socket, &buffer[have], buffer.count - have, 0)
      guard count > 0 else { throw Complaint("the connection broke") }
      have += count
      guard let end = Self.headEnd(buffer, have) else { continue }
      let head = String(decoding: buffer[..<end], as: UTF8.self).lowercased()
      let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
      guard let length, end + length <= buffer.count else { throw Complaint("a reply without a length") }
      if have >= end + length { return Int(head.dropFirst(9).prefix(3)) ?? -1 }
    }
  }

  private static func headEnd(_ bytes: [UInt8], _ count: Int) -> Int? {
    guard count >= 4 else { return nil }
    for at in 3..<count where bytes[at] == 10 && bytes[at - 1] == 13 && bytes[at - 2] == 10 && bytes[at - 3] == 13 {
      return at + 1
    }
    return nil
  }
}
