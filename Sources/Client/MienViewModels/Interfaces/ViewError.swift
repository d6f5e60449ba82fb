internal import MienClient
internal import MienCore

/// Error shown to the user, with a recovery action. Errors with the same code are equal.
public struct ViewError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Recovery action for the user.
  public enum RecoveryAction: String, Hashable, Sendable, CaseIterable {
    /// Retry.
    case again
    /// Open the app's page in the system settings.
    case settings
    /// Continue without the missing feature.
    case without
    /// Wait until the operation continues automatically.
    case wait
    /// Free disk space, then retry.
    case freeSpace = "makeRoom"
    /// Sign in, then retry.
    case signIn
    /// Return to the start.
    case leave
  }

  /// Stable code that selects the texts.
  public let code: String
  public let recovery: RecoveryAction
  /// Number of seconds until a retry can succeed, if known.
  public let seconds: Int?

  public init(code: String, recovery: RecoveryAction, seconds: Int? = nil) {
    self.code = code
    self.recovery = recovery
    self.seconds = seconds
  }

  public static func == (left: ViewError, right: ViewError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { code }
}

extension ViewError {
  // Camera errors.
  public static let cameraRefused = ViewError(code: "camera-refused", recovery: .settings)
  public static let cameraAbsent = ViewError(code: "camera-absent", recovery: .leave)
  public static let cameraBusy = ViewError(code: "camera-busy", recovery: .again)
  public static let cameraLost = ViewError(code: "camera-lost", recovery: .again)
  // Device errors.
  public static let noTracking = ViewError(code: "no-tracking", recovery: .leave)
  public static let noDepth = ViewError(code: "no-depth", recovery: .without)
  public static let hot = ViewError(code: "hot", recovery: .wait)
  public static let lowMemory = ViewError(code: "low-memory", recovery: .again)
  public static let interrupted = ViewError(code: "interrupted", recovery: .again)
  public static let lowStorage = ViewError(code: "low-storage", recovery: .freeSpace)
  public static let clockChanged = ViewError(code: "clock-changed", recovery: .again)
  public static let fileMissing = ViewError(code: "file-missing", recovery: .leave)
  /// The session of the signed-in user has ended, or the server needs one.
  public static let signedOut = ViewError(code: "signed-out", recovery: .signIn)
  /// A link that is not one of this app's server.
  public static let foreignLink = ViewError(code: "foreign-link", recovery: .leave)
  // Network errors.
  public static let offline = ViewError(code: "offline", recovery: .again)
  public static let unreachable = ViewError(code: "unreachable", recovery: .again)

  /// All client-side errors.
  public static let all: [ViewError] = [
    .cameraRefused, .cameraAbsent, .cameraBusy, .cameraLost, .noTracking, .noDepth, .hot, .lowMemory, .interrupted,
    .lowStorage, .clockChanged, .fileMissing, .signedOut, .foreignLink, .offline, .unreachable,
  ]

  /// Creates the error for a server's rejection or a missing response.
  init(_ error: ClientError, isOnline: Bool) {
    let seconds = error.retryAfter.map { Int($0.inSeconds.rounded(.up)) }
    switch error.code {
    case .unreachable: self = isOnline ? .unreachable : .offline
    case .unreadable: self = .unreachable
    case .messageGone, .notFound, .unauthorized, .forbidden, .demoDisabled, .tokenExpired, .checkEnded, .secondClient:
      self.init(code: error.code.text, recovery: .leave, seconds: seconds)
    default: self.init(code: error.code.text, recovery: .again, seconds: seconds)
    }
  }
}

extension ViewError {
  /// Returns the notices for an error, most specific first; the table uses the first one that it has a text for.
  ///
  /// - Parameter place: part of the app that shows the error. `messages` has separate texts for some errors.
  public func notices(in place: String? = nil) -> [ViewNotice] {
    var keys: [String] = []
    if let place { keys += ["\(place).trouble.\(code)", "\(place).problem.\(code)"] }
    keys += ["app.trouble.\(code)", "trouble.\(code)", "problem.\(code)"]
    // Texts shared by all parts of the app are stored with those of the messages for historical reasons.
    if place != "messages" { keys.append("messages.trouble.\(code)") }
    return (keys + ["problem.unknown"]).map { ViewNotice($0) }
  }
}
