internal import Foundation

/// Where an OpenTelemetry collector takes traces over HTTP.
public struct OTLPEndpoint: Hashable, Sendable {
  /// What is understood. A wrong one is never repeated: somebody may have put a password into it.
  public static let hint = """
    --otlp takes the address of an OpenTelemetry collector that speaks OTLP over HTTP, such as http://127.0.0.1:4318, \
    without user, password and query. /v1/traces is added.
    """

  private static let path = "/v1/traces"

  let url: String

  /// Refuses (nil) what is no `http://HOST:PORT` or `https://HOST:PORT`, with or without a path.
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
