import Foundation

/// Persistent connection over IPv4.
final class Connection {
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
    guard connected == 0 else { throw LoadError("cannot connect to \(host):\(port)") }
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  func write(_ bytes: [UInt8]) throws {
    guard send(socket, bytes, bytes.count, 0) == bytes.count else { throw LoadError("the connection broke") }
  }

  /// Reads one response with a `Content-Length` and returns its status.
  func readReply() throws -> Int {
    var have = 0
    while true {
      let count = recv(socket, &buffer[have], buffer.count - have, 0)
      guard count > 0 else { throw LoadError("the connection broke") }
      have += count
      guard let end = Self.headEnd(buffer, have) else { continue }
      let head = String(decoding: buffer[..<end], as: UTF8.self).lowercased()
      let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
      guard let length, end + length <= buffer.count else { throw LoadError("a reply without a length") }
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
