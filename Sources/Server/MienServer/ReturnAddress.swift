internal import MienPlatform

/// Address that the page of a check leads back to.
enum ReturnAddress {
  static let maximumLength = 1024
  /// Characters of a URI (RFC 3986) except `#`, which would keep the check's ID from the integrator's server.
  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!$&'()*+,;=%".utf8)

  /// Returns the address if it begins with one of the origins.
  ///
  /// The text is compared, not parsed: no two parsers can then disagree about its host.
  ///
  /// - Throws: ``ServiceError`` with `badValue` for other texts, and with `forbidden` for other origins.
  static func validated(_ text: String, origins: Set<String>) throws -> String {
    guard text.utf8.count <= maximumLength, text.utf8.allSatisfy(allowed.contains) else {
      throw ServiceError(
        .badValue,
        "\"return_url\" must be an https address of at most \(maximumLength) characters, percent-encoded and without a "
          + "fragment.")
    }
    guard origins.contains(where: { text == $0 || text.hasPrefix($0 + "/") || text.hasPrefix($0 + "?") }) else {
      throw ServiceError(
        .forbidden,
        "The origin of \"return_url\" is not allowed on this server. Start it with --return-origin and that origin.")
    }
    return text
  }
}
