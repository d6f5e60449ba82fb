public import Foundation
public import MienAPI
public import MienCore

/// Options of a check.
public struct LivenessOptions: Sendable {
  /// The integrator's public key; passed to the backend with the session request and not used otherwise.
  public var publicKey: String?
  /// `true` for the sandbox server, `false` for the live server.
  public var sandboxEnvironment: Bool
  /// Strength of the tasks to request; `nil` for the backend's choice. Without effect if the app uses an existing session.
  public var assurance: AssuranceLevel?
  /// Tasks to request; `nil` for the backend's choice. A session that the backend created with other tasks refuses them.
  public var tasks: [TaskProperties]?
  public var user: LivenessUser?
  public var branding: Branding?
  /// `true` to read instructions aloud.
  public var allowAudio: Bool
  /// Arbitrary data of the app, returned with the result.
  public var metadata: (any Sendable)?

  public init(
    publicKey: String? = nil, sandboxEnvironment: Bool = true, assurance: AssuranceLevel? = nil,
    tasks: [TaskProperties]? = nil, user: LivenessUser? = nil, branding: Branding? = nil, allowAudio: Bool = false,
    metadata: (any Sendable)? = nil
  ) {
    self.assurance = assurance
    self.publicKey = publicKey
    self.sandboxEnvironment = sandboxEnvironment
    self.tasks = tasks
    self.user = user
    self.branding = branding
    self.allowAudio = allowAudio
    self.metadata = metadata
  }

  /// Session request that matches these options.
  public var options: CreateSessionRequest {
    CreateSessionRequest(
      assurance: assurance, tasks: tasks?.map(\.request), user: user, publicKey: publicKey,
      sandboxEnvironment: sandboxEnvironment)
  }
}

/// Request from the app to its own backend, which creates the session with its API key. Same JSON as the web element's.
public struct CreateSessionRequest: Codable, Hashable, Sendable {
  /// Strength of the tasks, as `assurance` in the body of `POST /v1/checks`.
  public var assurance: AssuranceLevel?
  /// Tasks in the format of the body of `POST /v1/checks`.
  public var tasks: [TaskRequest]?
  public var user: LivenessUser?
  public var publicKey: String?
  public var sandboxEnvironment: Bool
}

/// Server addresses of the sandbox and live realms. Both may be on one server, where the API key that created the
/// session selects the realm, or on two.
public struct LivenessServer: Hashable, Sendable {
  public var sandbox: URL
  public var live: URL

  public init(sandbox: URL, live: URL) {
    self.sandbox = sandbox
    self.live = live
  }

  /// Uses one server for both realms.
  public init(_ address: URL) {
    self.init(sandbox: address, live: address)
  }

  /// Returns the address for the sandbox or live realm.
  public func address(sandboxEnvironment: Bool) -> URL { sandboxEnvironment ? sandbox : live }
}

/// User data known to the app, for the greeting on screen and for the backend.
public struct LivenessUser: Codable, Hashable, Sendable {
  public var firstName: String
  public var lastName: String?
  public var email: String?

  public init(firstName: String, lastName: String? = nil, email: String? = nil) {
    self.firstName = firstName
    self.lastName = lastName
    self.email = email
  }
}

extension LivenessUser: CustomStringConvertible, CustomReflectable {
  public var description: String { "LivenessUser(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Branding values for the app's user interface. This module neither draws nor downloads anything.
public struct Branding: Codable, Hashable, Sendable {
  /// Brand name.
  public var name: String?
  /// Color as hexadecimal text, for example `#0b5fff`.
  public var color: String?
  /// URL of the logo.
  public var logo: String?
  /// Accessibility label of the logo.
  public var logoAlt: String
  /// Hides the logo on small screens.
  public var hideLogoOnMobile: Bool
  /// Shows the "powered by" line.
  public var showPoweredBy: Bool
  public var poweredByText: String
  /// URL of the logo in the "powered by" line.
  public var poweredByLogo: String?

  public init(
    name: String? = nil, color: String? = nil, logo: String? = nil, logoAlt: String? = nil,
    hideLogoOnMobile: Bool = false, showPoweredBy: Bool = false, poweredByText: String = "Powered by",
    poweredByLogo: String? = nil
  ) {
    self.name = name
    self.color = color
    self.logo = logo
    self.logoAlt = logoAlt ?? name ?? "Mien"
    self.hideLogoOnMobile = hideLogoOnMobile
    self.showPoweredBy = showPoweredBy
    self.poweredByText = poweredByText
    self.poweredByLogo = poweredByLogo
  }
}

extension Branding {
  /// ``color`` as red, green and blue in 0…1, or `nil` if it is not `#rgb` or `#rrggbb` (the `#` is optional).
  public var colorComponents: SIMD3<Double>? {
    guard var digits = color?.drop(while: { $0 == "#" }), digits.allSatisfy(\.isHexDigit) else { return nil }
    if digits.count == 3 { digits = Substring(digits.map { "\($0)\($0)" }.joined()) }
    guard digits.count == 6, let value = UInt32(digits, radix: 16) else { return nil }
    return SIMD3(Double(value >> 16 & 255), Double(value >> 8 & 255), Double(value & 255)) / 255
  }
}
