internal import Foundation

/// Trust anchors in PEM (RFC 7468). The library accepts any text and ignores what it cannot parse, so that a damaged file would
/// trust no signer without a word.
enum TrustList {
  private static let begin = "-----BEGIN CERTIFICATE-----"
  private static let end = "-----END CERTIFICATE-----"

  /// Returns the reason why a list cannot be used; `nil` if it consists of at least one certificate.
  static func problem(in text: String) -> String? {
    let parts = text.split(separator: begin, omittingEmptySubsequences: false).dropFirst()
    guard !parts.isEmpty else { return "a trust list contains no certificate in PEM" }
    for part in parts {
      guard let stop = part.range(of: end),
        let bytes = Data(base64Encoded: String(part[..<stop.lowerBound]), options: .ignoreUnknownCharacters),
        isSequence([UInt8](bytes))
      else { return "a certificate of a trust list is damaged" }
    }
    return nil
  }

  /// Returns `true` for exactly one DER sequence (X.690, definite long form), which a certificate is.
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4, bytes[0] == 0x30, bytes[1] == 0x81 || bytes[1] == 0x82 else { return false }
    let digits = Int(bytes[1] & 0x7F)
    let length = bytes[2..<2 + digits].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count == 2 + digits + length
  }
}
