internal import ArgumentParser
internal import Foundation
internal import MienRuntime
internal import MienServer

/// Options of `mien serve` for its web pages, and for other sites that work with them.
struct PageOptions: ParsableArguments {
  @Option(help: "Folder with the browser client (default: Web beside the package).")
  var web: String?
  @Option(
    help: "Origin of a page that may use the API with a check's token, such as https://shop.example; repeatable.")
  var allowOrigin: [String] = []
  @Option(
    help: """
      Origin that the page of a check may lead back to ("return_url"), such as https://shop.example; http on this \
      machine only; repeatable.
      """)
  var returnOrigin: [String] = []
  @Option(
    help: """
      Origin of this server as people reach it, such as https://check.example. The "page" of a created check is then a \
      whole address.
      """)
  var publicURL: String?
  @Option(
    help: """
      Contact for reports of vulnerabilities, such as mailto:security@shop.example or an https address; published as \
      /.well-known/security.txt.
      """)
  var securityContact: String?
  @Option(
    help: """
      iOS app that opens links of this server, such as TEAMID1234.com.example.app; published as \
      /.well-known/apple-app-site-association; repeatable.
      """)
  var appLink: [String] = []
  @Option(
    help: """
      Android app that opens links of this server: its package and the SHA-256 fingerprint of its certificate, such as \
      com.example.app=14:6D:E9:…; published as /.well-known/assetlinks.json; repeatable.
      """)
  var androidAppLink: [String] = []
  @Flag(help: "Allow webhooks to private addresses and over plain HTTP, for testing.")
  var allowPrivateWebhooks = false

  func validate() throws {
    for origin in allowOrigin where !Self.isOrigin(origin) {
      throw ValidationError(
        "--allow-origin \(origin): an origin is scheme, host and port only, as https://shop.example.")
    }
    for origin in returnOrigin where !Self.isOrigin(origin) || !Self.isSecure(origin) {
      throw ValidationError(
        "--return-origin \(origin): an origin is https, host and port only, as https://shop.example; http for this "
          + "machine only.")
    }
    if let publicURL, !Self.isOrigin(publicURL) {
      throw ValidationError(
        "--public-url \(publicURL): an origin is scheme, host and port only, as https://check.example.")
    }
    if let securityContact, !Self.isContact(securityContact) {
      throw ValidationError(
        "--security-contact \(securityContact): a contact is an address that begins with mailto:, tel: or https://.")
    }
    for app in appLink where LinkedApps.AppleApp(app) == nil {
      throw ValidationError(
        "--app-link \(app): an app is the team's ID, 10 letters and digits, a dot, and the bundle identifier.")
    }
    for app in androidAppLink where LinkedApps.AndroidApp(app) == nil {
      throw ValidationError(
        "--android-app-link \(app): an app is its package, an equals sign, and 32 bytes in hexadecimal with colons.")
    }
  }

  func apply(to settings: inout RuntimeSettings) {
    settings.http.web = web ?? AssetLocation.web
    settings.http.viewer = AssetLocation.viewer
    settings.http.docs = AssetLocation.docs
    settings.http.allowedOrigins = Set(allowOrigin)
    settings.http.returnOrigins = Set(returnOrigin)
    settings.http.publicURL = publicURL
    settings.http.securityContact = securityContact
    settings.http.linkedApps = LinkedApps(
      apple: appLink.compactMap { LinkedApps.AppleApp($0) },
      android: androidAppLink.compactMap { LinkedApps.AndroidApp($0) })
    settings.http.allowsPrivateWebhooks = allowPrivateWebhooks
  }

  /// Returns `true` for an HTTP or HTTPS origin as sent by browsers in `Origin` (RFC 6454).
  private static func isOrigin(_ text: String) -> Bool {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
    else {
      return false
    }
    let port = parts.port.map { ":\($0)" } ?? ""
    return ["http", "https"].contains(scheme) && text == "\(scheme)://\(host)\(port)"
  }

  /// Returns `true` for a contact as RFC 9116 allows it, in one line.
  private static func isContact(_ text: String) -> Bool {
    ["mailto:", "tel:", "https://"].contains { text.hasPrefix($0) && text.count > $0.count }
      && text.utf8.allSatisfy { (33...126).contains($0) }
  }

  /// Returns `true` for an origin over HTTPS or on this machine.
  private static func isSecure(_ origin: String) -> Bool {
    guard let parts = URLComponents(string: origin) else { return false }
    return parts.scheme == "https" || ListeningAddress(host: parts.host ?? "", port: 0).isLoopback
  }
}
