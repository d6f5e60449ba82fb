internal import Foundation
internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import NIOHTTP1

/// Client side of AWS Signature Version 4 for S3 ("Authenticating Requests", Amazon S3 API Reference).
struct S3Signer: Sendable {
  let address: S3Address
  let credentials: S3Credentials
  private static let service = "s3"

  /// Returns all headers of a request: its own, the host, the date, and the signature.
  func headers(_ request: S3Request, at time: UnixTime) -> [(name: String, value: String)] {
    let scope = SigV4Scope(at: time, region: address.region, service: Self.service)
    let digest = request.digest.description
    var headers = request.headers
    headers += [("host", address.host), ("x-amz-content-sha256", digest), ("x-amz-date", scope.timestamp)]
    if let token = credentials.token { headers.append(("x-amz-security-token", token)) }
    headers.sort { $0.name < $1.name }
    let signature = scope.signature(
      of: canonical(request, headers: headers, query: Self.query(request.query), digest: digest),
      secret: Array(credentials.secret.utf8))
    headers.append(
      (
        "authorization",
        "\(SigV4Scope.algorithm) Credential=\(credentials.id)/\(scope), SignedHeaders=\(Self.names(headers)), "
          + "Signature=\(signature)"
      ))
    return headers
  }

  /// Returns a URL that grants read access to a key for a limited time without credentials.
  ///
  /// - Parameter lifetime: 1 second to 7 days; clamped.
  func presigned(_ key: String, for lifetime: Interval, at time: UnixTime) -> String {
    let scope = SigV4Scope(at: time, region: address.region, service: Self.service)
    let seconds = min(max(lifetime.nanoseconds / 1_000_000_000, 1), 7 * 86_400)
    var words = [
      ("X-Amz-Algorithm", SigV4Scope.algorithm), ("X-Amz-Credential", "\(credentials.id)/\(scope)"),
      ("X-Amz-Date", scope.timestamp), ("X-Amz-Expires", "\(seconds)"),
    ]
    if let token = credentials.token { words.append(("X-Amz-Security-Token", token)) }
    words.append(("X-Amz-SignedHeaders", "host"))
    let request = S3Request(.GET, key)
    let query = Self.query(words)
    let signature = scope.signature(
      of: canonical(request, headers: [("host", address.host)], query: query, digest: "UNSIGNED-PAYLOAD"),
      secret: Array(credentials.secret.utf8))
    return url(request, query: query + "&X-Amz-Signature=\(signature)")
  }

  /// Returns the URL of a request.
  func url(_ request: S3Request) -> String { url(request, query: Self.query(request.query)) }

  private func url(_ request: S3Request, query: String) -> String {
    "\(address.isSecure ? "https" : "http")://\(address.host)\(address.path(request.key))"
      + (query.isEmpty ? "" : "?" + query)
  }

  private func canonical(
    _ request: S3Request, headers: [(name: String, value: String)], query: String, digest: String
  ) -> String {
    let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
    return [request.method.rawValue, address.path(request.key), query, lines, Self.names(headers), digest]
      .joined(separator: "\n")
  }

  private static func names(_ headers: [(name: String, value: String)]) -> String {
    headers.map(\.name).joined(separator: ";")
  }

  private static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (S3PercentEncoding.value($0.name), S3PercentEncoding.value($0.value)) }.sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }
}

/// Percent-encoding for Signature Version 4: all except the unreserved characters of RFC 3986, in uppercase.
enum S3PercentEncoding {
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  private static let unreservedOrSlash = unreserved.union(CharacterSet(charactersIn: "/"))

  /// Encodes a query name or value.
  static func value(_ text: String) -> String { encode(text, keeping: unreserved) }

  /// Encodes a key, without its slashes.
  static func path(_ text: String) -> String { encode(text, keeping: unreservedOrSlash) }

  private static func encode(_ text: String, keeping kept: CharacterSet) -> String {
    guard let encoded = text.addingPercentEncoding(withAllowedCharacters: kept) else {
      preconditionFailure("a string is valid Unicode")
    }
    return encoded
  }
}

/// Access key with its secret, and a session token for temporary keys.
public struct S3Credentials: Sendable, CustomStringConvertible, CustomReflectable {
  let id: String
  let secret: String
  let token: String?

  /// Returns `nil` if a value is not valid in a header: all three must be visible ASCII.
  public init?(id: String, secret: String, token: String? = nil) {
    guard [id, secret, token ?? "-"].allSatisfy(Self.isPlain), !id.contains("/"), id.utf8.count <= 128 else {
      return nil
    }
    self.id = id
    self.secret = secret
    self.token = token
  }

  /// Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, and, for temporary keys, `AWS_SESSION_TOKEN`. Returns `nil` if a required value
  /// is missing or one is malformed.
  public init?(environment: [String: String]) {
    guard let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
      return nil
    }
    let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    self.init(id: id, secret: secret, token: token)
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 8192
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ",") }
  }

  public var description: String { "S3Credentials(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
