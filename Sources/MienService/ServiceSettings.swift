public import MienChallenges
public import MienModel

/// What an operator can set about the service; defaults are the documented ones.
public struct ServiceSettings: Sendable {
  /// How long a check and its token live. AWS Face Liveness and others use three minutes.
  public var lifetime: Interval = .seconds(180)
  /// How far a client's clock may drift against the server's within one check, either way.
  public var clockTolerance: Interval = .seconds(2)
  /// How many checks may be under way at once.
  public var maximumLiveChecks = 10_000
  /// How many claimed observations one request may bring.
  public var maximumClaims = 600
  /// True when anybody may start a check without an API key, for trying out on one's own machine.
  public var allowsDemo = false
  public var check = CheckSettings.standard
  public var enrolment = DepthEnrolmentSettings.standard
  public var framing = FramingAdvice()

  public init() {}
}
