public import MienChallenges
public import MienModel

/// What passive signals (Documentation/PassiveSignals.md) do to a verdict.
public enum PassivePolicy: String, Hashable, Sendable, CaseIterable {
  /// They are not watched.
  case off
  /// They stand among the findings and decide nothing.
  case report
  /// A check that they refuse does not pass.
  case refuse
}

/// What an operator can set about the service; defaults are the documented ones.
public struct ServiceSettings: Sendable {
  /// Which of the server's two worlds this service is.
  public var space = Space.live
  /// How long a check and its token live. AWS Face Liveness and others use three minutes.
  public var lifetime: Interval = .seconds(180)
  /// How far a client's clock may drift against the server's within one check, either way.
  public var clockTolerance: Interval = .seconds(2)
  /// How many checks may be under way at once.
  public var maximumLiveChecks = 10_000
  /// True when checks may be judged on what a device reports about itself, where their creation asked for it: claimed
  /// observations, and depth captures without tasks. Such a check needs no camera.
  public var allowsClaims = false
  /// How many claimed observations one request may bring.
  public var maximumClaims = 600
  /// True when pictures may be kept for integrators who ask for them.
  public var keepsPictures = true
  /// How long kept pictures stay after the verdict.
  public var pictureLifetime: Interval = .seconds(600)
  /// How many checks that keep pictures may be under way at once; each holds up to 1 MiB.
  public var maximumChecksWithPictures = 256
  /// When a person or a device that failed too often is locked out; nil never does.
  public var lockout: LockoutSettings? = .standard
  /// What passive signals do to a verdict.
  public var passive = PassivePolicy.refuse
  /// How passive signals are judged.
  public var passiveSettings = PassiveSettings.live
  /// What frames that an earlier check showed do to a verdict (Documentation/Decisions/0023-frames-of-earlier-checks.md).
  public var replays = PassivePolicy.report
  /// How long kept clips stay after the verdict.
  public var clipLifetime: Interval = .seconds(3600)
  /// How long verdicts stay, with all that belongs to their checks; nil keeps them until they are erased.
  public var resultLifetime: Interval? = .seconds(90 * 86_400)
  /// What a check asks for whose creation names nothing.
  public var defaultChallenge = DefaultChallenge.tasks
  public var check = CheckSettings.standard
  public var enrolment = DepthEnrolmentSettings.standard
  public var framing = FramingAdvice()

  /// The versions of everything that a verdict is made under, for results that leave the house.
  public var version: String {
    "\(HeadTurnSettings.version) \(TaskMachine.version) \(DepthThresholds.version)"
      + (passive == .off ? "" : " \(PassiveSettings.version)")
      + (replays == .off ? "" : " \(ReplaySettings.version)")
  }

  public init() {}
}
