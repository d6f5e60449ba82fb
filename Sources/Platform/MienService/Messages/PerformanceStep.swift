public import MienCore

/// What the person in front of the camera is told after each frame; the page shows it and decides nothing.
public struct PerformanceStep: Sendable {
  /// Where a performance stands. All from `recorded` on are final.
  public enum State: Hashable, Sendable {
    /// The neutral face is being taken.
    case calibrating
    case performing
    /// The recording is complete; a message can be locked with it.
    case recorded
    /// The message, and how often it can still be opened; nil without end.
    case opened(text: String, viewsLeft: Int?)
    /// It was another sequence; how many attempts are left.
    case wrong(attemptsLeft: Int)
    /// Nothing was tried or counted: the sender wants the frames to be watched, and they are suspect, or too few to tell.
    case suspect
    /// Nothing was tried.
    case refused(MessageAvailability)

    /// The stable word.
    public var code: String {
      switch self {
      case .calibrating: "calibrating"
      case .performing: "performing"
      case .recorded: "recorded"
      case .opened: "opened"
      case .wrong: "wrong"
      case .suspect: "suspect"
      case .refused(let standing):
        switch standing {
        case .ready, .waiting, .lockedForGood: "locked"
        case .expired: "expired"
        case .read, .deleted: "gone"
        }
      }
    }

    public var isFinal: Bool {
      switch self {
      case .calibrating, .performing: false
      case .recorded, .opened, .wrong, .suspect, .refused: true
      }
    }
  }

  public var state: State
  /// `one-face`, `no-face` or `several-faces`.
  public var face: String
  /// The name of the expression that is being seen.
  public var seen: String?
  /// How much of the hold, or of the calibration, is done, 0…1.
  public var holdShare: Float
  /// False while the face has to relax before an expression counts.
  public var isNeutralReached: Bool
  /// What was performed so far, by name.
  public var performed: [String]
  /// How many places there are.
  public var count: Int
  /// True when the expression before was performed again, which fills no place.
  public var repeated: Bool
  /// True when a device's claims were judged instead of frames.
  public var isClaimed: Bool
  public var remaining: Interval
}

extension PerformanceStep: CustomStringConvertible, CustomReflectable {
  public var description: String { "PerformanceStep(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether a message can be tried, as people are told.
public enum MessageAvailability: Hashable, Sendable {
  case ready(attemptsLeft: Int)
  case waiting(until: UnixTime)
  case lockedForGood
  case read
  case expired
  case deleted

  /// The stable word.
  public var code: String {
    switch self {
    case .ready: "ready"
    case .waiting: "waiting"
    case .lockedForGood: "locked"
    case .read: "read"
    case .expired: "expired"
    case .deleted: "deleted"
    }
  }

  /// True when there is nothing to open any more.
  public var isOver: Bool {
    switch self {
    case .read, .expired, .deleted: true
    case .ready, .waiting, .lockedForGood: false
    }
  }
}
