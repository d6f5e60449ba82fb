public import MienCore

/// Detects expressions in observations: each must be held for a minimum time, and the face must be neutral between two of them.
///
/// Expressions are changes from the subject's own face at rest, which is followed from the first observation on (``ExpressionBaseline``).
/// A value type without a clock, randomness, or heap storage: callers supply timestamps. All instants must come from one clock.
public struct ExpressionDetector: Hashable, Sendable {
  /// State of the detector.
  public enum State: Hashable, Sendable {
    /// The face must be neutral first: at the start, and after an expression. Next: ready.
    case awaitingNeutral
    /// Neutral was reached. Next: holding.
    case ready
    /// An expression has been visible without interruption since the given instant. Next: ready, holding another one, awaitingNeutral.
    case holding(FaceExpression, since: MonotonicInstant)
  }

  /// Result of a sample.
  public enum Step: Hashable, Sendable {
    /// The sample is not newer than the last one.
    case ignored
    case inProgress
    case performed(RecognizedExpression)
  }

  public let settings: ExpressionSettings
  public private(set) var state = State.awaitingNeutral
  /// Progress for display, as of the last sample.
  public private(set) var progress = ExpressionProgress()

  /// Face at rest, relative to which expressions are detected.
  private var baseline = ExpressionBaseline()
  private var last: MonotonicInstant?
  /// Instant of the last sample whose coefficients were measured.
  private var lastFace: MonotonicInstant?
  /// Expression that must end before the face counts as neutral.
  private var performed: FaceExpression?
  /// Bit i: expression i has been measurable at least once.
  private var measurable: UInt8 = 0

  public init(settings: ExpressionSettings) {
    self.settings = settings
  }

  /// Creates a detector with the standard settings of a source.
  public init(source: ExpressionSource) {
    self.init(settings: .standard(source))
  }

  /// Reports whether the coefficients for this expression have been measured. A tongue that the source does not measure is unavailable,
  /// which differs from not seen. Before the first face every expression is available.
  public func isAvailable(_ expression: FaceExpression) -> Bool {
    measurable == 0 || measurable & bit(expression) != 0
  }

  /// Processes the next observation.
  public mutating func process(_ sample: ExpressionSample) -> Step {
    if let last, sample.at <= last { return .ignored }
    last = sample.at
    guard case .face(let raw) = sample.sight else {
      if case .holding = state { state = .ready }
      show(nil, 0, ExpressionProgress.Face(sample.sight))
      return .inProgress
    }
    if measurable != 0b11_1111 { note(raw) }
    let elapsed = lastFace.map { sample.at.since($0) } ?? .zero
    lastFace = sample.at
    // The face is unobserved during a long gap, so a hold does not continue across it.
    let isGap = elapsed > settings.longestGap
    var held: FaceExpression?
    if case .holding(let expression, _) = state, !isGap { held = expression }
    baseline.follow(raw, after: Float(elapsed.inSeconds), isAtRest: held == nil && !isGap)
    let look = baseline.applied(to: raw)
    if state == .awaitingNeutral {
      let seen = settings.expression(in: look, raw: raw, held: performed)
      if seen == nil, baseline.isKnown, settings.isNeutral(look) { (state, performed) = (.ready, nil) }
      show(seen, 0, .oneFace)
      return .inProgress
    }
    guard let seen = settings.expression(in: look, raw: raw, held: held), settings.counted.contains(seen) else {
      state = .ready
      show(nil, 0, .oneFace)
      return .inProgress
    }
    guard seen == held, case .holding(_, let since) = state else {
      state = .holding(seen, since: sample.at)
      show(seen, 0, .oneFace)
      return .inProgress
    }
    let (time, hold) = (sample.at.since(since), settings.hold(of: seen))
    guard time >= hold else {
      show(seen, Float(time.nanoseconds) / Float(hold.nanoseconds), .oneFace)
      return .inProgress
    }
    (state, performed) = (.awaitingNeutral, seen)
    show(seen, 1, .oneFace)
    return .performed(RecognizedExpression(expression: seen, began: since, at: sample.at))
  }

  private mutating func show(_ seen: FaceExpression?, _ share: Float, _ face: ExpressionProgress.Face) {
    progress = ExpressionProgress(
      seen: seen, holdShare: share, isNeutralReached: state != .awaitingNeutral, face: face)
  }

  private mutating func note(_ look: ExpressionCoefficients) {
    for expression in FaceExpression.allCases where look.has(expression) { measurable |= bit(expression) }
  }

  private func bit(_ expression: FaceExpression) -> UInt8 { 1 << expression.rawValue }
}

extension ExpressionDetector: BinaryStateCodable {
  /// The settings are not encoded: the decoding side must supply them.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&baseline)
    var isReady = state != .awaitingNeutral
    var held: FaceExpression?
    var since: MonotonicInstant?
    if case .holding(let expression, let instant) = state { (held, since) = (expression, instant) }
    coder.pass(&isReady)
    coder.pass(choice: &held)
    coder.pass(&since)
    coder.require((held == nil) == (since == nil) && (isReady || held == nil))
    if coder.isReading {
      state = isReady ? .ready : .awaitingNeutral
      if let held, let since { state = .holding(held, since: since) }
    }
    coder.pass(choice: &progress.seen)
    coder.pass(&progress.holdShare)
    coder.pass(&progress.isNeutralReached)
    coder.pass(choice: &progress.face)
    coder.pass(&last)
    coder.pass(&lastFace)
    coder.pass(choice: &performed)
    coder.pass(&measurable)
  }
}

extension ExpressionDetector: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionDetector(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Progress for display after an observation. It contains no biometric measurements.
public struct ExpressionProgress: Hashable, Sendable {
  /// Face presence in the observation.
  public enum Face: String, Hashable, Sendable, CaseIterable {
    case oneFace = "one-face"
    case noFace = "no-face"
    case severalFaces = "several-faces"
    /// One face that does not look at the camera.
    case turnedAway = "turned-away"

    init(_ sight: ExpressionSample.Sight) {
      self =
        switch sight {
        case .face: .oneFace
        case .noFace: .noFace
        case .severalFaces: .severalFaces
        case .turnedAway: .turnedAway
        }
    }
  }

  /// Visible expression, even while the detector still waits for a neutral face.
  public var seen: FaceExpression?
  /// Elapsed fraction of the hold time, 0…1; 1 in the observation that completes it.
  public var holdShare: Float = 0
  /// `false` while the face must return to neutral before an expression counts.
  public var isNeutralReached = false
  public var face = Face.noFace
}

/// Threshold with hysteresis: an expression starts above `enter` and continues while it is above `release`.
public struct HysteresisThreshold: Hashable, Sendable {
  public let enter: Float
  public let release: Float

  /// Returns `nil` if a level is outside 0…1.5 or if `release` is above `enter`.
  public init?(enter: Float, release: Float) {
    guard enter >= 0, enter <= 1.5, release >= 0, release <= enter else { return nil }
    self.enter = enter
    self.release = release
  }

  /// Returns the level that applies now.
  func level(_ isHeld: Bool) -> Float { isHeld ? release : enter }
}
