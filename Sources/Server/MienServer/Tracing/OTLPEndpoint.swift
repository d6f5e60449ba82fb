internal import Foundation

/// URL at which an OpenTelemetry collector accepts traces over HTTP.
public struct OTLPEndpoint: Hashable, Sendable {
  /// Syntax of `--otlp`. An invalid value is never echoed: it may contain a password.
  public static let hint = """
    --otlp takes the address of an OpenTelemetry collector that speaks OTLP over HTTP, such as http://127.0.0.1:4318, \
    without user, password and query. /v1/traces is added.
    """

  private static let path = "/v1/traces"

  let url: String

  /// Parses `http://HOST:PORT` or `https://HOST:PORT`, with or without a path; returns `nil` for other text.
  public init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let parts = URLComponents(string: text),
      let scheme = parts.scheme, ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil,
      parts.fragment == nil
    else { return nil }
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    url = base.hasSuffix(Self.path) ? base : base + Self.path
  }
}
