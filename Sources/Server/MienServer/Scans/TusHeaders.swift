internal import Foundation

/// Parser for the headers of tus 1.0 ("Core protocol", "Creation" and "Checksum").
enum TusHeaders {
  /// Error for an invalid header.
  struct RejectionReason: Error, Equatable {
    /// Explanation for the client's developer.
    let reason: String
  }

  /// Parses a number of bytes of 1 to 18 decimal digits; returns `nil` for other text.
  static func number(_ text: String?) -> Int? {
    guard let text, (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// Parses `Upload-Checksum`: the name of an algorithm and a base64 digest; returns `nil` if there is none.
  ///
  /// - Throws: ``RejectionReason``.
  static func checksum(_ text: String?) throws(RejectionReason) -> (algorithm: String, digest: [UInt8])? {
    guard let text else { return nil }
    let parts = split(text, at: " ")
    guard text.utf8.count <= 256, parts.count == 2, let bytes = Data(base64Encoded: parts[1]) else {
      throw badChecksum
    }
    return (parts[0], Array(bytes))
  }

  static let badChecksum = RejectionReason(
    reason: "\"Upload-Checksum\" must be sha256 or sha1 and the digest in base64.")

  /// Parses `Upload-Metadata`: comma-separated pairs of a key and a base64 value; at most the first 32.
  ///
  /// - Throws: ``RejectionReason``.
  static func metadata(_ text: String?) throws(RejectionReason) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in split(text ?? "", at: ",").prefix(32) {
      let parts = split(pair, at: " ")
      guard let key = parts.first, parts.count <= 2 else { continue }
      guard let data = Data(base64Encoded: parts.count == 2 ? parts[1] : ""),
        let value = String(validating: data, as: UTF8.self), pairs.updateValue(value, forKey: key) == nil
      else { throw RejectionReason(reason: "\"Upload-Metadata\" must be keys with texts in base64, each once.") }
    }
    return pairs
  }

  /// Returns the nonempty parts. Splits bytes, because a comma followed by a combining mark is a different `Character`.
  private static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
    text.utf8.split(separator: UInt8(ascii: separator)).map { String(Substring($0)) }
  }
}
