internal import MienCore
internal import Crypto

/// The SHA-256 digest of a secret, stored in place of an API key or session token.
public struct SecretDigest: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// Computes the digest of a secret in the form that the client sends.
  public init(of secret: String) {
    bytes = Array(SHA256.hash(data: Array(secret.utf8)))
  }

  /// Restores a digest from a store; `nil` unless it has 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Compares in constant time, regardless of the position of the first difference.
  public static func == (left: SecretDigest, right: SecretDigest) -> Bool {
    var difference: UInt8 = 0
    for index in 0..<32 { difference |= left.bytes[index] ^ right.bytes[index] }
    return difference == 0
  }

  public var description: String { "SecretDigest(withheld)" }
}

/// Generates unguessable strings.
package enum RandomTokens {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Returns `prefix` followed by `count` random characters of 6 bits each.
  package static func make(prefix: String, count: Int, using generator: inout some RandomNumberGenerator) -> String {
    var text = Array(prefix.utf8)
    text.reserveCapacity(text.count + count)
    // Ten characters per random number: the system generator costs a system call each time.
    var (bits, left) = (UInt64(0), 0)
    for _ in 0..<count {
      if left == 0 { (bits, left) = (generator.next(), 10) }
      text.append(alphabet[Int(bits & 63)])
      bits >>= 6
      left -= 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a random string that starts with seven time characters, so that earlier strings sort before later ones.
  ///
  /// Records with such keys that are created at the same time are stored next to each other: inserts append at the end
  /// of a database's B-tree instead of modifying as many pages as there are records. Similar to version 7 of UUIDs (RFC
  /// 9562), but in the token alphabet.
  ///
  /// - Parameter time: between 1970 and 2109; the time characters wrap around after that.
  package static func ordered(
    prefix: String, count: Int, at time: UnixTime, using generator: inout some RandomNumberGenerator
  ) -> String {
    let milliseconds = UInt64(bitPattern: time.milliseconds)
    let moment = (0..<7).map { place in orderedAlphabet[Int(milliseconds >> (36 - 6 * UInt64(place)) & 63)] }
    return make(prefix: prefix + String(decoding: moment, as: UTF8.self), count: count, using: &generator)
  }

  /// The alphabet of secrets in byte order.
  private static let orderedAlphabet = alphabet.sorted()

  /// Returns a lowercase UUID (RFC 9562) with 122 random bits; version 4 or 8.
  package static func uuid(version: UInt8, using generator: inout some RandomNumberGenerator) -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    bytes[6] = bytes[6] & 0x0F | version << 4
    bytes[8] = bytes[8] & 0x3F | 0x80
    let text = Array(Hexadecimal.encode(bytes).utf8)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: text[$0], as: UTF8.self) }
      .joined(separator: "-")
  }
}
