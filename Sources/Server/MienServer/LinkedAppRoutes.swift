internal import Hummingbird
internal import MienPlatform

/// Files by which iOS and Android learn which apps open links of this server, if the operator named some.
struct LinkedAppRoutes: Sendable {
  let apps: LinkedApps

  /// Pages whose links an app can open if they have a fragment; the browser opens links without one.
  private static let pages = ["/check", "/scan", "/decode"]

  func add(to routes: inout APIRoutes) {
    routes.get("/.well-known/apple-app-site-association", RoutePolicy(.anyone, origins: .none)) { _ in
      guard !apps.apple.isEmpty else {
        throw ServiceError(.notFound, "The operator has named no iOS app for the links of this server.")
      }
      let components = Self.pages.map { ["/": $0, "#": "?*"] }
      return JSONResponse.json(
        AppleAppSiteAssociation(
          applinks: .init(details: [.init(appIDs: apps.apple.map(\.id), components: components)])))
    }
    routes.get("/.well-known/assetlinks.json", RoutePolicy(.anyone, origins: .none)) { _ in
      guard !apps.android.isEmpty else {
        throw ServiceError(.notFound, "The operator has named no Android app for the links of this server.")
      }
      var packages: [String] = []
      for app in apps.android where !packages.contains(app.package) { packages.append(app.package) }
      return JSONResponse.json(
        packages.map { name in
          AssetLink(
            target: .init(
              packageName: name, fingerprints: apps.android.filter { $0.package == name }.map(\.fingerprint)))
        })
    }
  }
}

/// Association file of universal links.
private struct AppleAppSiteAssociation: Encodable {
  struct AppLinks: Encodable {
    let details: [Detail]
  }
  struct Detail: Encodable {
    let appIDs: [String]
    /// Path patterns with the pattern of their fragment.
    let components: [[String: String]]
  }
  let applinks: AppLinks
}

/// Statement of a digital asset links file.
private struct AssetLink: Encodable {
  struct Target: Encodable {
    let namespace = "android_app"
    let packageName: String
    let fingerprints: [String]

    enum CodingKeys: String, CodingKey {
      case namespace
      case packageName = "package_name"
      case fingerprints = "sha256_cert_fingerprints"
    }
  }
  let relation = ["delegate_permission/common.handle_all_urls"]
  let target: Target
}
