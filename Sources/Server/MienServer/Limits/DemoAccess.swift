internal import HTTPTypes
internal import Hummingbird

/// Access without an API key: to try checks, lock messages, send captures and scans, and read scans.
public enum DemoAccess: Hashable, Sendable {
  /// No access.
  case off
  /// Access for programs and pages on the server's own machine. Requests forwarded by a proxy are excluded, and so are
  /// requests of a local browser for a remote page, even if that page's host name resolves to this machine (DNS
  /// rebinding).
  case ownMachine
  /// Access for every client.
  case everybody

  /// Returns `true` if a request is allowed without a key.
  ///
  /// - Parameter origins: origins of other pages that may use the server.
  func lets(_ request: Request, _ context: ServerContext, origins: Set<String>) -> Bool {
    switch self {
    case .off: false
    case .everybody: true
    case .ownMachine:
      context.isOwn(request) && Self.isLoopback(request.head.authority) && Self.isOwnPage(request, origins: origins)
    }
  }

  /// Returns `true` for loopback names with or without a port, and for a missing authority, which no browser sends.
  static func isLoopback(_ authority: String?) -> Bool {
    guard let authority = authority?.lowercased() else { return true }
    if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
    let host = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0]
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func isOwnPage(_ request: Request, origins: Set<String>) -> Bool {
    guard let origin = request.headers[.origin] else { return true }
    return origins.contains(origin) || (try? CSRFProtection.expectOwn(request)) != nil
  }
}
