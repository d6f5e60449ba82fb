internal import Foundation

/// Validated URL of a webhook.
struct WebhookURL: Equatable {
  let url: String
  /// Host without brackets.
  let host: String

  /// Error for an unacceptable URL.
  struct RejectionReason: Error, Equatable {
    /// Explanation for the integrator's developer.
    let reason: String
  }

  /// - Parameter allowsPrivate: `true` to accept `http` as well.
  /// - Throws: ``RejectionReason``.
  init(_ url: String, allowsPrivate: Bool) throws(RejectionReason) {
    guard (1...2048).contains(url.utf8.count), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let parts = URLComponents(string: url), URL(string: url) != nil, let scheme = parts.scheme?.lowercased(),
      let text = parts.percentEncodedHost
    else {
      throw RejectionReason(reason: "\"url\" must be an absolute URL of at most 2048 visible ASCII characters.")
    }
    guard scheme == "https" || allowsPrivate && scheme == "http" else {
      throw RejectionReason(reason: "\"url\" must begin with https://: what is posted names people.")
    }
    // Checked in encoded form: components that cannot be decoded are present all the same.
    guard parts.percentEncodedUser == nil, parts.percentEncodedPassword == nil, !url.contains("@"),
      parts.percentEncodedFragment == nil
    else {
      throw RejectionReason(reason: "\"url\" must have no user, no password and no fragment.")
    }
    let host = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    let isVersion6 = host.contains(":")
    let alphabet = isVersion6 ? "0123456789abcdefABCDEF:." : Self.nameCharacters
    guard (1...253).contains(host.utf8.count), host.allSatisfy(alphabet.contains) else {
      throw RejectionReason(reason: "\"url\" must name a host in ASCII; write other names in their xn-- form.")
    }
    guard parts.port.map({ (1...65_535).contains($0) }) != false else {
      throw RejectionReason(reason: "\"url\" must have a port of 1 to 65535, or none.")
    }
    self.url = url
    self.host = host
  }

  private static let nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
}
