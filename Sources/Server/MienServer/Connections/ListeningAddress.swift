internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Address and port that a server is to listen on.
public struct ListeningAddress: Hashable, Sendable {
  private let host: String
  private let port: Int

  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// `true` if only this machine can connect.
  public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// Returns why nothing can listen here, with what to do, or `nil` if it is possible.
  ///
  /// Listens for a moment, and accepts no connection.
  public func obstacle() async -> String? {
    guard port != 0, let error = await bindingError() else { return nil }
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      let other = await freePort()
      return "Port \(port) is in use.\(other.map { " Try --port \($0)." } ?? "")"
    case EACCES: return "Port \(port) needs root rights. Try --port 8080."
    case EADDRNOTAVAIL: return "\(host) is not an address of this machine. Try --host 127.0.0.1."
    default: return "Nothing can listen on \(host), port \(port): \(error)"
    }
  }

  /// Returns the next port above that is free, among twenty.
  private func freePort() async -> Int? {
    for other in (port + 1)..<(port + 21) where other <= 65_535 {
      if await ListeningAddress(host: host, port: other).bindingError() == nil { return other }
    }
    return nil
  }

  private func bindingError() async -> (any Error)? {
    do {
      // The option of the server itself: connections that have just ended do not keep the port.
      let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: host, port: port).get()
      try await channel.close()
      return nil
    } catch {
      return error
    }
  }
}
