public import MienPlatform
public import MienCore

/// The response to each frame of a performance; the client displays it and decides nothing.
public struct PerformanceStep: Sendable {
  /// State of a performance. All from `recorded` on are final.
  public enum State: Hashable, Sendable {
    case performing
    /// The recording is complete; a message can be locked with it.
    case recorded
    /// The text of the message, and the number of views left; `nil` for no limit.
    case opened(text: String, viewsLeft: Int?)
    /// The sequence was wrong; the number of attempts left.
    case wrong(attemptsLeft: Int)
    /// Nothing was tried or counted: the sender requires passive signals, and the frames are suspect or too few to
    /// assess.
    case suspect
    /// The message is not available, and nothing was tried.
    case refused(MessageAvailability)

    /// Stable code of the state.
    public var code: String {
      switch self {
      case .performing: "performing"
      case .recorded: "recorded"
      case .opened: "opened"
      case .wrong: "wrong"
      case .suspect: "suspect"
      case .refused(let standing):
        switch standing {
        case .ready, .waiting: "locked"
        case .expired: "expired"
        case .read, .deleted: "gone"
        }
      }
    }

    public var isFinal: Bool {
      switch self {
      case .performing: false
      case .recorded, .opened, .wrong, .suspect, .refused: true
      }
    }
  }

  public var state: State
  /// `one-face`, `no-face` or `several-faces`.
  public var face: String
  /// Name of the expression that is detected.
  public var seen: String?
  /// Completed fraction of the hold, 0…1.
  public var holdShare: Float
  /// `false` while the face has to relax before an expression counts.
  public var isNeutralReached: Bool
  /// Names of the expressions performed so far.
  public var performed: [String]
  /// Number of steps to perform.
  public var count: Int
  /// `true` if the previous expression was performed again, which does not count as a step.
  public var repeated: Bool
  /// `true` if client-reported observations were evaluated instead of frames.
  public var isClaimed: Bool
  public var remaining: Interval
}

extension PerformanceStep: CustomStringConvertible, CustomReflectable {
  public var description: String { "PerformanceStep(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Availability of a message, as reported to people.
public enum MessageAvailability: Hashable, Sendable {
  case ready(attemptsLeft: Int)
  case waiting(until: UnixTime)
  case read
  case expired
  case deleted

  /// Stable code of the availability.
  public var code: String {
    switch self {
    case .ready: "ready"
    case .waiting: "waiting"
    case .read: "read"
    case .expired: "expired"
    case .deleted: "deleted"
    }
  }

  /// `true` if the message has ended and can no longer be opened.
  public var isOver: Bool {
    switch self {
    case .read, .expired, .deleted: true
    case .ready, .waiting: false
    }
  }
}
