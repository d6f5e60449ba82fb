public import MienCore

/// Finds expressions in observations: each is held for a while, and between two of them the face is neutral.
///
/// A value without clock, dice and heap storage: it is told when things were seen. All instants must be of one clock.
public struct ExpressionDetector: Hashable, Sendable {
  /// Where the machine stands.
  public enum State: Hashable, Sendable {
    /// The face has to be neutral first: at the start, and after an expression. Next: ready.
    case awaitingNeutral
    /// Neutral was reached. Next: holding.
    case ready
    /// An expression is seen without a break since then. Next: ready, holding another one, awaitingNeutral.
    case holding(FaceExpression, since: MonotonicInstant)
  }

  /// What a sample brought about.
  public enum Step: Hashable, Sendable {
    /// It is not newer than the last sample.
    case ignored
    case inProgress
    case performed(RecognizedExpression)
  }

  public let settings: ExpressionSettings
  /// What is taken off first; it can be set when a calibration is done.
  public var baseline: ExpressionBaseline
  public private(set) var state = State.awaitingNeutral
  /// For the screen, after the last sample.
  public private(set) var progress = ExpressionProgress()

  private var last: MonotonicInstant?
  /// Bit i: expression i has been measurable at least once.
  private var measurable: UInt8 = 0

  public init(settings: ExpressionSettings, baseline: ExpressionBaseline = .zero) {
    self.settings = settings
    self.baseline = baseline
  }

  /// The standard settings of a source.
  public init(source: ExpressionSource, baseline: ExpressionBaseline = .zero) {
    self.init(settings: .standard(source), baseline: baseline)
  }

  /// False when no face so far had the coefficients for this expression: a tongue that the source does not measure is
  /// not available, which is not the same as not seen. Before the first face everything is available.
  public func isAvailable(_ expression: FaceExpression) -> Bool {
    measurable == 0 || measurable & bit(expression) != 0
  }

  /// Takes the next observation.
  public mutating func process(_ sample: ExpressionSample) -> Step {
    if let last, sample.at <= last { return .ignored }
    // Nobody knows what the face did in a long gap: a hold does not bridge it.
    let isGap = last.map { sample.at.since($0) > settings.longestGap } ?? false
    last = sample.at
    guard case .face(let raw) = sample.sight else {
      if case .holding = state { state = .ready }
      show(nil, 0, sample.sight == .noFace ? .noFace : .severalFaces)
      return .inProgress
    }
    if measurable != 0b11_1111 { note(raw) }
    let look = baseline.applied(to: raw)
    var held: FaceExpression?
    if case .holding(let expression, _) = state, !isGap { held = expression }
    let seen = settings.expression(in: look, held: held)
    if state == .awaitingNeutral {
      if settings.isNeutral(look) { state = .ready }
      show(seen, 0, .oneFace)
      return .inProgress
    }
    guard let seen else {
      state = .ready
      show(nil, 0, .oneFace)
      return .inProgress
    }
    guard seen == held, case .holding(_, let since) = state else {
      state = .holding(seen, since: sample.at)
      show(seen, 0, .oneFace)
      return .inProgress
    }
    let time = sample.at.since(since)
    guard time >= settings.hold else {
      show(seen, Float(time.nanoseconds) / Float(settings.hold.nanoseconds), .oneFace)
      return .inProgress
    }
    state = .awaitingNeutral
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
  /// The settings are its maker's.
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
    coder.pass(&measurable)
  }
}

extension ExpressionDetector: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionMachine(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
