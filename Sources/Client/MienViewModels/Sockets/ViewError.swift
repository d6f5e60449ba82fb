internal import MienClient
internal import MienCore

/// What stands in the way of a flow, and which way on there is. Equal by code.
public struct ViewError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a person can do about it.
  public enum RecoveryAction: String, Hashable, Sendable, CaseIterable {
    /// The same again.
    case again
    /// The system's settings of the app.
    case settings
    /// Go on without what is missing.
    case without
    /// Wait: it goes on by itself.
    case wait
    /// Make room on the device, then the same again.
    case makeRoom
    /// Back to where the flow begins.
    case leave
  }

  /// Stable: it chooses the texts.
  public let code: String
  public let wayOn: RecoveryAction
  /// How many seconds until it makes sense to try again, where that is known.
  public let seconds: Int?

  public init(code: String, wayOn: RecoveryAction, seconds: Int? = nil) {
    self.code = code
    self.wayOn = wayOn
    self.seconds = seconds
  }

  public static func == (left: ViewError, right: ViewError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { code }
}

extension ViewError {
  // Of the camera.
  public static let cameraRefused = ViewError(code: "camera-refused", wayOn: .settings)
  public static let cameraAbsent = ViewError(code: "camera-absent", wayOn: .leave)
  public static let cameraBusy = ViewError(code: "camera-busy", wayOn: .again)
  public static let cameraLost = ViewError(code: "camera-lost", wayOn: .again)
  // Of the device.
  public static let noTracking = ViewError(code: "no-tracking", wayOn: .leave)
  public static let noDepth = ViewError(code: "no-depth", wayOn: .without)
  public static let hot = ViewError(code: "hot", wayOn: .wait)
  public static let lowMemory = ViewError(code: "low-memory", wayOn: .again)
  public static let interrupted = ViewError(code: "interrupted", wayOn: .again)
  public static let lowStorage = ViewError(code: "low-storage", wayOn: .makeRoom)
  public static let clockChanged = ViewError(code: "clock-changed", wayOn: .again)
  public static let fileMissing = ViewError(code: "file-missing", wayOn: .leave)
  // Of the network.
  public static let offline = ViewError(code: "offline", wayOn: .again)
  public static let unreachable = ViewError(code: "unreachable", wayOn: .again)

  /// All that is of this side.
  public static let all: [ViewError] = [
    .cameraRefused, .cameraAbsent, .cameraBusy, .cameraLost, .noTracking, .noDepth, .hot, .lowMemory, .interrupted,
    .lowStorage, .clockChanged, .fileMissing, .offline, .unreachable,
  ]

  /// What a server's refusal, or its silence, means for a person.
  init(_ error: ClientError, isOnline: Bool) {
    let seconds = error.retryAfter.map { Int($0.inSeconds.rounded(.up)) }
    switch error.code {
    case .unreachable: self = isOnline ? .unreachable : .offline
    case .unreadable: self = .unreachable
    case .messageGone, .notFound, .unauthorized, .forbidden, .demoOff, .tokenExpired, .checkOver, .secondClient:
      self.init(code: error.code.text, wayOn: .leave, seconds: seconds)
    default: self.init(code: error.code.text, wayOn: .again, seconds: seconds)
    }
  }
}
