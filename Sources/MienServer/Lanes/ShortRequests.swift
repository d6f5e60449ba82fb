internal import HTTPTypes

/// The requests that are answered on their connection's own thread: those that look up or keep one row and calculate for no
/// longer than a signature takes.
enum ShortRequests {
  private static let checks = "/v1/checks"

  /// True for reading a check, creating one and asking whether the process lives.
  ///
  /// - Parameter path: without a query.
  static func has(_ method: HTTPRequest.Method, _ path: String) -> Bool {
    switch method {
    case .get:
      if path == "/health/live" { return true }
      guard path.utf8.count > checks.utf8.count + 1, path.utf8.starts(with: checks.utf8) else { return false }
      let rest = path.utf8.dropFirst(checks.utf8.count)
      return rest.first == UInt8(ascii: "/") && !rest.dropFirst().contains(UInt8(ascii: "/"))
    case .post: return path == checks
    default: return false
    }
  }
}
