public import Foundation
public import MienClient
internal import MienCore
internal import MienAvatars

/// Link that opens the app at a task: a universal link of the server, or the same address in a QR code.
///
/// Secrets are in the fragment, which browsers do not send to the server.
public enum AppLink: Hashable, Sendable {
  /// Check to perform: `/check#id=…&token=…`.
  case check(CheckSession)
  /// Check of a QR code, whose secret the server exchanges for the token: `/check#ID.SECRET`.
  case handOver(id: String, secret: String)
  /// Message to open: `/decode#XXXX-XXXX-XXXX-XXXX`, with the key behind a slash if only the holder of the link can open
  /// it.
  case message(String)
  /// Scan to make with a check's token: `/scan#id=…&token=…`.
  case scan(CheckSession)

  /// Reads a link.
  ///
  /// - Parameters:
  ///   - link: the address that was opened.
  ///   - server: the app's server. Links of another server are refused: an attacker's link must not send frames of a
  ///     face to the attacker.
  /// - Throws: ``ViewError/foreignLink``.
  public init(_ link: URL, server: URL) throws {
    guard let parts = URLComponents(url: link, resolvingAgainstBaseURL: true),
      parts.scheme?.lowercased() == server.scheme?.lowercased(),
      let host = parts.host?.lowercased(), host == server.host?.lowercased(),
      Self.port(parts.port, parts.scheme) == Self.port(server.port, server.scheme),
      parts.user == nil, parts.password == nil
    else { throw ViewError.foreignLink }
    var base = server.path
    while base.hasSuffix("/") { base.removeLast() }
    guard parts.path.hasPrefix(base) else { throw ViewError.foreignLink }
    let path = parts.path.dropFirst(base.count)
    let fragment = parts.fragment ?? ""
    switch path {
    case "/check", "/check/":
      if let (id, secret) = Self.handOver(fragment) {
        self = .handOver(id: id, secret: secret)
      } else {
        self = .check(try Self.session(fragment))
      }
    case "/scan", "/scan/": self = .scan(try Self.session(fragment))
    case "/decode", "/decode/":
      guard let message = MessageLink(text: fragment) else { throw ViewError.foreignLink }
      self = .message(message.text)
    default: throw ViewError.foreignLink
    }
  }

  /// Reads the short form of a QR code, which has no parameters.
  private static func handOver(_ fragment: String) -> (id: String, secret: String)? {
    let parts = fragment.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, CheckID(String(parts[0])) != nil, (1...256).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
      })
    else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  private static func session(_ fragment: String) throws -> CheckSession {
    var values: [Substring: Substring] = [:]
    for pair in fragment.split(separator: "&") {
      guard let mark = pair.firstIndex(of: "=") else { continue }
      values[pair[..<mark]] = pair[pair.index(after: mark)...]
    }
    guard let id = values["id"].map(String.init), CheckID(id) != nil, let token = values["token"], !token.isEmpty,
      token.utf8.count <= 4096
    else { throw ViewError.foreignLink }
    return CheckSession(id: id, token: String(token))
  }

  private static func port(_ port: Int?, _ scheme: String?) -> Int {
    port ?? (scheme?.lowercased() == "http" ? 80 : 443)
  }
}

extension AppLink: CustomStringConvertible, CustomReflectable {
  public var description: String {
    switch self {
    case .check, .handOver: "AppLink(check)"
    case .message: "AppLink(message)"
    case .scan: "AppLink(scan)"
    }
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
