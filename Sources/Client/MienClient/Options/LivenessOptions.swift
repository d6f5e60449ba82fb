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
