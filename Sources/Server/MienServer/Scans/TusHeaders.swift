internal import Foundation

/// What the headers of tus 1.0 say (its "Core protocol", "Creation" and "Checksum").
enum TusHeaders {
  /// Why a header is none that can be read.
  struct RejectionReason: Error, Equatable {
    /// What is wrong and what to do, for the sender's developer.
    let reason: String
  }

  /// A number of bytes: up to 18 decimal digits and nothing else; nil for all other texts.
  static func number(_ text: String?) -> Int? {
    guard let text, (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// `Upload-Checksum`: the name of an algorithm and a digest in base64; nil when there is none.
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

  /// `Upload-Metadata`: keys and values in base64 with commas between; the first 32.
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

  /// The parts that are not empty. Byte for byte: a comma before a combining mark is a comma, and not a letter of its own.
  private static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
    text.utf8.split(separator: UInt8(ascii: separator)).map { String(Substring($0)) }
  }
}
