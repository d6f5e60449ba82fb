internal import MienCore
internal import Foundation

/// Address of a bucket: `s3://BUCKET/PREFIX?endpoint=https://…&region=…&style=path`.
///
/// `endpoint` selects a store other than Amazon's. `region` is Amazon's region or the store's own name for it (default `us-east-1` with
/// an endpoint). `style` is `path` or `virtual` (the bucket in the path, or in the host name); the default is `path` with an endpoint,
/// and without one only for bucket names that contain a dot. An address never contains access keys.
public struct S3Address: Hashable, Sendable, CustomStringConvertible {
  public let bucket: String
  /// Prefix of all keys: empty, or ending in a slash.
  public let prefix: String
  public let region: String
  /// Host of the requests, with the port if it is not the default.
  let host: String
  let isSecure: Bool
  let isVirtual: Bool

  /// Parses an address. Returns `nil` if the text is not valid.
  ///
  /// - Parameter region: Region if the address does not contain one.
  public init?(_ text: String, region: String? = nil) {
    guard text.utf8.count <= 1024, let parts = URLComponents(string: text), parts.scheme == "s3",
      parts.user == nil, parts.password == nil, parts.port == nil, parts.fragment == nil,
      let bucket = parts.host, Self.isBucket(bucket)
    else { return nil }
    var words: [String: String] = [:]
    for item in parts.queryItems ?? [] {
      guard ["endpoint", "region", "style"].contains(item.name), let value = item.value,
        words.updateValue(value, forKey: item.name) == nil
      else { return nil }
    }
    let folders = parts.path.split(separator: "/").map(String.init)
    guard folders.allSatisfy(Self.isFolder), folders.joined().utf8.count <= 256 else { return nil }
    guard let region = words["region"] ?? region ?? (words["endpoint"] == nil ? nil : "us-east-1"),
      Self.isRegion(region)
    else { return nil }
    switch words["style"] {
    case nil: isVirtual = words["endpoint"] == nil && !bucket.contains(".")
    case "path": isVirtual = false
    case "virtual": isVirtual = true
    default: return nil
    }
    guard let endpoint = Self.endpoint(words["endpoint"] ?? "https://s3.\(region).amazonaws.com") else { return nil }
    self.bucket = bucket
    self.region = region
    prefix = folders.map { $0 + "/" }.joined()
    isSecure = endpoint.isSecure
    host = (isVirtual ? "\(bucket)." : "") + endpoint.host
  }

  private init(_ address: S3Address, prefix: String) {
    bucket = address.bucket
    region = address.region
    host = address.host
    isSecure = address.isSecure
    isVirtual = address.isVirtual
    self.prefix = prefix
  }

  /// Returns the address of a folder within the same bucket and prefix.
  /// - Precondition: `folder` contains only letters, digits, dots, hyphens, and underscores.
  public func within(_ folder: String) -> S3Address {
    precondition(Self.isFolder(folder), "a folder has a plain name")
    return S3Address(self, prefix: prefix + folder + "/")
  }

  /// Returns the request path for a key, or for the bucket itself.
  func path(_ key: String?) -> String { (isVirtual ? "" : "/\(bucket)") + "/" + S3PercentEncoding.path(key ?? "") }

  public var description: String {
    "s3://\(bucket)/\(prefix) at \(isSecure ? "https" : "http")://\(host), region \(region)"
  }

  /// Reports whether a text is meant to be an S3 address.
  public static func isMeant(by text: String) -> Bool { text.hasPrefix("s3://") }

  private static func endpoint(_ text: String) -> (host: String, isSecure: Bool)? {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty, ["", "/"].contains(parts.path), parts.user == nil, parts.password == nil,
      parts.query == nil, parts.fragment == nil,
      host.utf8.allSatisfy({
        $0.isASCIILetterOrDigit || [".", "-", "[", "]", ":"].contains(Character(Unicode.Scalar($0)))
      })
    else { return nil }
    let usual = scheme == "https" ? 443 : 80
    guard let port = parts.port, port != usual else { return (host, scheme == "https") }
    guard (1...65_535).contains(port) else { return nil }
    return ("\(host):\(port)", scheme == "https")
  }

  private static func isBucket(_ text: String) -> Bool {
    guard (3...63).contains(text.utf8.count), let first = text.utf8.first, let last = text.utf8.last else {
      return false
    }
    return isSmall(first) && isSmall(last) && !text.contains("..")
      && text.utf8.allSatisfy { isSmall($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }

  private static func isRegion(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { isSmall($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isFolder(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || [".", "-", "_"].contains(Character(Unicode.Scalar($0))) }
  }

  private static func isSmall(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isASCIIDigit
  }
}
