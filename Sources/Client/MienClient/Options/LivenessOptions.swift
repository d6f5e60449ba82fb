public import MienAPI

/// What an integrator may choose.
public struct LivenessOptions: Sendable {
  /// The integrator's public key; handed to the backend with the wish for a session, and decides nothing here.
  public var publicKey: String?
  /// Whether the sandbox server is asked, or the live one.
  public var sandboxEnvironment: Bool
  /// What the person shall do; nil leaves it to who creates the session. An app that is given a session can no longer
  /// choose: its tasks were chosen when the session was created.
  public var tasks: [TaskProperties]?
  public var user: LivenessUser?
  public var branding: Branding?
  /// Whether the screen reads instructions aloud.
  public var allowAudio: Bool
  /// Anything of the app's own; comes back with the result.
  public var metadata: (any Sendable)?

  public init(
    publicKey: String? = nil, sandboxEnvironment: Bool = true, tasks: [TaskProperties]? = nil,
    user: LivenessUser? = nil, branding: Branding? = nil, allowAudio: Bool = false, metadata: (any Sendable)? = nil
  ) {
    self.publicKey = publicKey
    self.sandboxEnvironment = sandboxEnvironment
    self.tasks = tasks
    self.user = user
    self.branding = branding
    self.allowAudio = allowAudio
    self.metadata = metadata
  }

  /// The wish for a session that suits these options.
  public var options: CreateSessionRequest {
    CreateSessionRequest(
      tasks: tasks?.map(\.request), user: user, publicKey: publicKey, sandboxEnvironment: sandboxEnvironment)
  }
}

/// What the app sends to its own backend, which creates the session with its API key: JSON as the web element sends it.
public struct CreateSessionRequest: Codable, Hashable, Sendable {
  /// Ready for the body of `POST /v1/checks`.
  public var tasks: [TaskRequest]?
  public var user: LivenessUser?
  public var publicKey: String?
  public var sandboxEnvironment: Bool
}
