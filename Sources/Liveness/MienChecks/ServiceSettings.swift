public import MienPlatform
public import MienFaceMatch
public import MienLiveness
public import MienCore

/// The effect of passive signals (Documentation/reference/PassiveSignals.md) on a verdict.
public enum PassivePolicy: String, Hashable, Sendable, CaseIterable {
  /// Passive signals are not computed.
  case off
  /// Passive signals are included in the findings, but do not affect the verdict.
  case report
  /// A check that the passive signals refuse does not pass.
  case refuse
}

/// Operator settings of the service; the defaults are the documented ones.
public struct ServiceSettings: Sendable {
  /// The realm of this service.
  public var realm = Realm.live
  /// Lifetime of a check and its token. AWS Face Liveness and others use three minutes.
  public var lifetime: Interval = .seconds(180)
  /// Maximum drift of a client's clock relative to the server's within one check, in either direction.
  public var clockTolerance: Interval = .seconds(2)
  /// Maximum number of concurrent checks.
  public var maximumLiveChecks = 10_000
  /// `true` if verdicts may rest on data reported by a device, for checks created with that option: client
  /// observations, and depth captures without tasks. Such a check needs no camera frames.
  public var allowsClaims = false
  /// Maximum number of client observations per request.
  public var maximumClaims = 600
  /// `true` if images may be stored for integrators who request them.
  public var keepsImages = true
  /// Retention period of stored images after the verdict.
  public var imageLifetime: Interval = .seconds(600)
  /// Maximum number of concurrent checks that store images; each holds up to 1 MiB.
  public var maximumChecksWithImages = 256
  /// Lockout of a person or device after repeated failures; `nil` disables it.
  public var lockout: LockoutSettings? = .standard
  /// Effect of passive signals on a verdict.
  public var passive = PassivePolicy.refuse
  /// Evaluation settings for passive signals.
  public var passiveSettings = PassiveSettings.live
  /// Effect of frames of earlier checks on the verdict (Documentation/decisions/0023-frames-of-earlier-checks.md).
  public var replays = PassivePolicy.report
  /// Effect of a change of person during a check (Documentation/guides/FaceMatch.md).
  public var personChange = PassivePolicy.refuse
  /// Settings for detecting such a change.
  public var onePerson = OnePersonSettings()
  /// `true` if persons may be enrolled with the template of their face, and checks compared with it.
  public var keepsTemplates = false
  /// Time after the verdict in which a person can be enrolled from a check.
  public var templateLifetime: Interval = .seconds(86_400)
  /// Retention of clips after the verdict.
  public var clipLifetime: Interval = .seconds(3600)
  /// Retention period of verdicts and all data of their checks; `nil` for no automatic deletion.
  public var resultLifetime: Interval? = .seconds(90 * 86_400)
  /// Level of checks created without tasks and without a level, and of all sessions of the compatible APIs.
  public var defaultAssurance = AssuranceLevel.standard
  public var check = CheckSettings.standard
  public var enrollment = DepthEnrollmentSettings.standard
  public var framing = FramingAdvice()

  /// The versions of all algorithms that determine a verdict, for exported results.
  public var version: String {
    "\(HeadTurnSettings.version) \(TaskStateMachine.version) \(DepthThresholds.version)"
      + (passive == .off ? "" : " \(PassiveSettings.version)")
      + (replays == .off ? "" : " \(ReplaySettings.version)")
      + (personChange == .off ? "" : " \(OnePersonSettings.version)")
  }

  public init() {}
}
