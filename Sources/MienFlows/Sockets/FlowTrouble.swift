internal import MienClient
internal import MienModel

/// What stands in the way of a flow, and which way on there is. Equal by code.
public struct FlowTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a person can do about it.
  public enum WayOn: String, Hashable, Sendable, CaseIterable {
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
  public let wayOn: WayOn
  /// How many seconds until it makes sense to try again, where that is known.
  public let seconds: Int?

  public init(code: String, wayOn: WayOn, seconds: Int? = nil) {
    self.code = code
    self.wayOn = wayOn
    self.seconds = seconds
  }

  public static func == (left: FlowTrouble, right: FlowTrouble) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { code }
}

extension FlowTrouble {
  // Of the camera.
  public static let cameraRefused = FlowTrouble(code: "camera-refused", wayOn: .settings)
  public static let cameraAbsent = FlowTrouble(code: "camera-absent", wayOn: .leave)
  public static let cameraBusy = FlowTrouble(code: "camera-busy", wayOn: .again)
  public static let cameraLost = FlowTrouble(code: "camera-lost", wayOn: .again)
  // Of the device.
  public static let noTracking = FlowTrouble(code: "no-tracking", wayOn: .leave)
  public static let noDepth = FlowTrouble(code: "no-depth", wayOn: .without)
  public static let hot = FlowTrouble(code: "hot", wayOn: .wait)
  public static let lowMemory = FlowTrouble(code: "low-memory", wayOn: .again)
  public static let interrupted = FlowTrouble(code: "interrupted", wayOn: .again)
  public static let lowStorage = FlowTrouble(code: "low-storage", wayOn: .makeRoom)
  public static let clockChanged = FlowTrouble(code: "clock-changed", wayOn: .again)
  public static let fileMissing = FlowTrouble(code: "file-missing", wayOn: .leave)
  // Of the network.
  public static let offline = FlowTrouble(code: "offline", wayOn: .again)
  public static let unreachable = FlowTrouble(code: "unreachable", wayOn: .again)

  /// All that is of this side.
  public static let all: [FlowTrouble] = [
    .cameraRefused, .cameraAbsent, .cameraBusy, .cameraLost, .noTracking, .noDepth, .hot, .lowMemory, .interrupted,
    .lowStorage, .clockChanged, .fileMissing, .offline, .unreachable,
  ]

  /// What a server's refusal, or its silence, means for a person.
  init(_ error: ClientError, isOnline: Bool) {
    let seconds = error.retryAfter.map { Int($0.inSeconds.rounded(.up)) }
    switch error.code {
    case .unreachable: self = isOnline ? .unreachable : .offline
    case .unreadable: self = .unreachable
    case .messageGone, .notFound, .unauthorised, .forbidden, .demoOff, .tokenExpired, .checkOver, .secondClient:
      self.init(code: error.code.text, wayOn: .leave, seconds: seconds)
    default: self.init(code: error.code.text, wayOn: .again, seconds: seconds)
    }
  }
}
