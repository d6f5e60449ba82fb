public import MienPlatform
public import MienCore

/// The parameters that a check was created with, as stored.
public struct CheckRecord: Hashable, Sendable {
  public let id: CheckID
  public let token: SecretDigest
  public let created: UnixTime
  /// Time at which the token stops working and an undecided check counts as expired.
  public let expires: UnixTime
  /// Side that the head turn asks for; random unless the integrator specified one.
  public let side: Side
  public let person: PersonID?
  /// Device that the check is done on, if the integrator knows it.
  public let device: DeviceID?
  /// `true` if the device will send depth captures.
  public let expectsDepth: Bool
  /// The integrator's own reference, up to 128 characters; never interpreted.
  public let reference: String?
  /// Tasks requested instead of the head turn; `nil` if only the head turn to `side` is requested.
  public let tasks: CheckTasks?
  /// Maximum number of attempts, 1…5.
  public let attempts: Int
  /// Number of audit images to store in addition to the face image, 0…4; `nil` if no images are stored.
  public let auditImages: Int?
  /// `true` if a clip of the frames is stored.
  public let keepsClip: Bool
  /// Kinds of observations that the check accepts.
  public let sources: CheckSources
  /// `true` if the check's token may be used to upload a depth scan.
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

/// The result of a check, as stored. Written once.
public struct CheckResult: Hashable, Sendable {
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    case passed
    case failed
    case timedOut = "timed-out"
  }

  /// Source of the evaluated observations. One check never mixes the two kinds.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// The server made the observations in frames.
    case observed
    /// A device reported the observations.
    case claimed
    /// Nothing was evaluated.
    case none

    /// Assurance of a verdict on observations from this source.
    public var assurance: Assurance {
      switch self {
      case .observed: .frames
      case .claimed: .claimed
      case .none: .none
      }
    }
  }

  public let outcome: Outcome
  /// Stable reason code; `nil` if the outcome is `passed`.
  public let reason: String?
  public let decided: UnixTime
  public let source: Source
  /// Evidence that the verdict rests on.
  public let assurance: Assurance
  /// Number of frames or observations evaluated.
  public let frames: Int
  public let findings: [Finding]
  /// Yaw angles in degrees on the way out and on the way back, if the challenge got that far.
  public let wayOut: [Float]
  public let wayBack: [Float]
  /// Hash chain over the received frames; `nil` for checks stored before it was introduced.
  public let received: FrameHashChain?
  /// Version of the settings under which the check was decided; `nil` for checks stored before it was introduced.
  public let settings: String?
  /// Attempts before the deciding one, in order; empty for most checks.
  public let earlier: [FailedAttempt]
  /// Side that the deciding attempt's head turn asked for, if it differs from the check's own.
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
