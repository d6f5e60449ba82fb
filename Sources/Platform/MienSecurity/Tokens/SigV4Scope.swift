internal import MienCore
public import MienPlatform
internal import Crypto

/// The scope of a Version 4 signature: timestamp, region and service.
///
/// The algorithm is the same on both sides: a server derives the signature that a request should have, a client the one
/// that it sends.
public struct SigV4Scope: Hashable, Sendable, CustomStringConvertible {
  public static let algorithm = "AWS4-HMAC-SHA256"

  /// `20260131T235959Z`.
  public let timestamp: String
  public let region: String
  public let service: String

  package init(timestamp: String, region: String, service: String) {
    self.timestamp = timestamp
    self.region = region
    self.service = service
  }

  /// - Parameter time: a time in the years 1970 to 9999.
  public init(at time: UnixTime, region: String, service: String) {
    self.init(timestamp: AWSTimestamp.write(time), region: region, service: service)
  }

  /// The scope as written in a credential.
  public var description: String { "\(timestamp.prefix(8))/\(region)/\(service)/aws4_request" }

  /// Returns the signature of a canonical request: 64 lowercase hexadecimal digits.
  public func signature(of canonical: String, secret: [UInt8]) -> String {
    Hexadecimal.encode(HMAC<SHA256>.authenticationCode(for: stringToSign(canonical), using: key(secret)))
  }

  /// Verifies a signature; compares in constant time.
  package func isValid(_ signature: [UInt8], of canonical: String, secret: [UInt8]) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: stringToSign(canonical), using: key(secret))
  }

  private func key(_ secret: [UInt8]) -> SymmetricKey {
    let first = SymmetricKey(data: Array("AWS4".utf8) + secret)
    return [String(timestamp.prefix(8)), region, service, "aws4_request"].reduce(first) { key, part in
      SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
    }
  }

  private func stringToSign(_ canonical: String) -> [UInt8] {
    let digest = Hexadecimal.encode(SHA256.hash(data: Array(canonical.utf8)))
    return Array([Self.algorithm, timestamp, description, digest].joined(separator: "\n").utf8)
  }
}
