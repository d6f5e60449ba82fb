public import MienCore

/// What was asked for when a check was created, as it is kept.
public struct CheckRecord: Hashable, Sendable {
  public let id: CheckID
  public let token: SecretDigest
  public let created: UnixTime
  /// When the token stops working and an open check counts as expired.
  public let expires: UnixTime
  /// The side the head turn asks for; chosen by the server's random source unless the integrator asked for one.
  public let side: Side
  public let person: PersonID?
  /// The device it is done with, where the integrator knows it.
  public let device: DeviceID?
  /// True when the device will send depth captures.
  public let expectsDepth: Bool
  /// The integrator's own note, up to 128 characters; never interpreted.
  public let reference: String?
  /// What is asked instead of the head turn; nil: the head turn to `side` alone.
  public let tasks: CheckTasks?
  /// How often the person may try, 1…5.
  public let attempts: Int
  /// How many audit pictures to keep besides the face image, 0…4; nil keeps no picture.
  public let auditImages: Int?
  /// True when a film of the frames is kept.
  public let keepsClip: Bool
  /// What the check may be judged on.
  public let sources: CheckSources
  /// True when the check's token may send a depth scan.
  public let takesScan: Bool

  public init(
    id: CheckID, token: SecretDigest, created: UnixTime, expires: UnixTime, side: Side, person: PersonID?,
    device: DeviceID? = nil, expectsDepth: Bool, reference: String?, tasks: CheckTasks? = nil,
    attempts: Int = 1, auditImages: Int? = nil, keepsClip: Bool = false, sources: CheckSources = .observed,
    takesScan: Bool = false
  ) {
    self.id = id
    self.token = token
    self.created = created
    self.expires = expires
    self.side = side
    self.person = person
    self.device = device
    self.expectsDepth = expectsDepth
    self.reference = reference
    self.tasks = tasks
    self.attempts = attempts
    self.auditImages = auditImages
    self.keepsClip = keepsClip
    self.sources = sources
    self.takesScan = takesScan
  }
}

/// How a check ended, as it is kept; written once.
public struct CheckResult: Hashable, Sendable {
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    case passed
    case failed
    case timedOut = "timed-out"
  }

  /// Where the judged observations came from; the two kinds never mix in one check.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// Our own code saw them in the pixels.
    case observed
    /// A device said so.
    case claimed
    /// Nothing was judged.
    case none

    /// What a verdict on observations of this source rests on.
    public var assurance: Assurance {
      switch self {
      case .observed: .frames
      case .claimed: .claimed
      case .none: .none
      }
    }
  }

  public let outcome: Outcome
  /// A stable reason code unless the outcome is `passed`.
  public let reason: String?
  public let decided: UnixTime
  public let source: Source
  /// What the verdict rests on.
  public let assurance: Assurance
  /// How many frames or observations were judged.
  public let frames: Int
  public let findings: [Finding]
  /// The yaw angles in degrees on the way out and on the way back, when the challenge got that far.
  public let wayOut: [Float]
  public let wayBack: [Float]
  /// What commits to the frames that were received; nil for checks of before it was kept.
  public let received: FrameHashChain?
  /// The version of the settings that it was decided under; nil for checks of before it was kept.
  public let settings: String?
  /// The attempts before the one that decided, in their order; empty for most checks.
  public let earlier: [FailedAttempt]
  /// The side that the deciding attempt's head turn asked for, where that was not the check's own.
  public let side: Side?

  public init(
    outcome: Outcome, reason: String?, decided: UnixTime, source: Source, assurance: Assurance? = nil, frames: Int,
    findings: [Finding], wayOut: [Float], wayBack: [Float], received: FrameHashChain? = nil,
    settings: String? = nil, earlier: [FailedAttempt] = [], side: Side? = nil
  ) {
    self.outcome = outcome
    self.reason = reason
    self.decided = decided
    self.source = source
    self.assurance = assurance ?? source.assurance
    self.frames = frames
    self.findings = findings
    self.wayOut = wayOut
    self.wayBack = wayBack
    self.received = received
    self.settings = settings
    self.earlier = earlier
    self.side = side
  }
}

extension CheckResult: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckResult(\(outcome.rawValue))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
