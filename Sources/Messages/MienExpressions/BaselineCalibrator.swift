public import MienCore

/// Calibrates a subject's baseline from a neutral face held still for one second.
///
/// A value type without a clock or randomness. Movement or a clearly non-neutral face restarts the measurement.
public struct BaselineCalibrator: Hashable, Sendable {
  /// State of the calibration.
  public enum State: Hashable, Sendable {
    /// No usable face yet, or it moved. Next: holding.
    case waiting
    /// The face has been still since the given instant. Next: waiting, done.
    case holding(since: MonotonicInstant)
    /// Final.
    case done(ExpressionBaseline)
  }

  /// Duration for which the face must be held still.
  public let length: Interval
  /// Maximum deviation of a coefficient from its running mean; blinks are exempt.
  public let largestStray: Float
  public private(set) var state = State.waiting
  /// Elapsed fraction of the duration, 0…1.
  public private(set) var progress: Float = 0
  /// Face presence in the last observation.
  public private(set) var face = ExpressionProgress.Face.noFace

  private var last: MonotonicInstant?
  private var sum = SIMD16<Float>(repeating: 0)
  private var count = SIMD16<Float>(repeating: 0)

  /// Returns `nil` if the length is outside 0.3…10 s or the deviation is outside 0.02…0.5.
  public init?(length: Interval = .seconds(1), largestStray: Float = 0.15) {
    guard (Interval.milliseconds(300)...Interval.seconds(10)).contains(length), (0.02...0.5).contains(largestStray)
    else { return nil }
    self.length = length
    self.largestStray = largestStray
  }

  /// Baseline, or `nil` until the calibration is done.
  public var baseline: ExpressionBaseline? {
    if case .done(let baseline) = state { baseline } else { nil }
  }

  /// Processes the next observation; one that is not newer than the last is ignored.
  public mutating func process(_ sample: ExpressionSample) {
    if case .done = state { return }
    if let last, sample.at <= last { return }
    let gap = last.map { sample.at.since($0) }
    last = sample.at
    face = ExpressionProgress.Face(sample.sight)
    guard case .face(let look) = sample.sight else { return restart() }
    if let gap, gap > .milliseconds(300) { restart() }
    guard case .holding(let since) = state else { return begin(look, at: sample.at) }
    var stray = look.lanes - sum / pointwiseMax(count, SIMD16(repeating: 1))
    // A blink is part of a neutral face: closing eyelids neither restart the measurement nor count toward it.
    let blinks =
      max(stray[ExpressionCoefficients.Lane.blinkLeft], stray[ExpressionCoefficients.Lane.blinkRight]) > largestStray
    stray[ExpressionCoefficients.Lane.blinkLeft] = 0
    stray[ExpressionCoefficients.Lane.blinkRight] = 0
    if any((stray .> largestStray) .| (stray .< -largestStray)) { return begin(look, at: sample.at) }
    if !blinks { add(look) }
    let held = sample.at.since(since)
    progress = Float(min(held.inSeconds / length.inSeconds, 1))
    guard held >= length, count.max() >= 5 else { return }
    state = .done(ExpressionBaseline((sum / count)))
  }

  /// Starts a measurement unless the face is clearly not neutral, such as with an open mouth.
  private mutating func begin(_ look: ExpressionCoefficients, at: MonotonicInstant) {
    restart()
    let lanes = look.lanes
    let mouth = [ExpressionCoefficients.Lane.tongue, ExpressionCoefficients.Lane.jaw].contains { lanes[$0] > 0.3 }
    guard !mouth, !any(lanes .> 0.85) else { return }
    state = .holding(since: at)
    add(look)
  }

  private mutating func restart() {
    state = .waiting
    progress = 0
    sum = SIMD16(repeating: 0)
    count = SIMD16(repeating: 0)
  }

  private mutating func add(_ look: ExpressionCoefficients) {
    let measured = look.lanes .== look.lanes
    sum += SIMD16<Float>(repeating: 0).replacing(with: look.lanes, where: measured)
    count += SIMD16<Float>(repeating: 0).replacing(with: 1, where: measured)
  }
}

extension BaselineCalibrator: BinaryStateCodable {
  /// The length and the deviation are not encoded: the decoding side must supply them.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var since: MonotonicInstant?
    var taken: ExpressionBaseline?
    switch state {
    case .waiting: break
    case .holding(let instant): since = instant
    case .done(let baseline): taken = baseline
    }
    coder.pass(&since)
    coder.pass(&taken)
    coder.require(since == nil || taken == nil)
    if coder.isReading { state = taken.map { .done($0) } ?? since.map { .holding(since: $0) } ?? .waiting }
    coder.pass(&progress)
    coder.pass(choice: &face)
    coder.pass(&last)
    coder.pass(&sum)
    coder.pass(&count)
  }
}

extension BaselineCalibrator: CustomStringConvertible, CustomReflectable {
  public var description: String { "BaselineCalibrator(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Coefficients of a subject's neutral face: coefficients at rest differ between people and sources.
///
/// Values above the baseline are stretched to the remaining range: (value − base) / (1 − base).
public struct ExpressionBaseline: Hashable, Sendable {
  /// Maximum baseline of a coefficient; beyond it too little range would remain.
  static let highest: Float = 0.6

  private let base: SIMD16<Float>
  private let stretch: SIMD16<Float>

  /// Zero baseline: nothing is subtracted.
  public static let zero = ExpressionBaseline(SIMD16(repeating: 0))

  /// Creates a baseline from the means of a neutral face; NaN if a coefficient was not measured, which subtracts nothing.
  init(_ means: SIMD16<Float>) {
    let measured = SIMD16<Float>(repeating: 0).replacing(with: means, where: means .> 0)
    self.init(base: pointwiseMin(measured, SIMD16(repeating: Self.highest)))
  }

  private init(base: SIMD16<Float>) {
    self.base = base
    stretch = 1 / (1 - base)
  }

  /// Returns the coefficients relative to the neutral face.
  func applied(to look: ExpressionCoefficients) -> ExpressionCoefficients {
    ExpressionCoefficients(lanes: (look.lanes - base) * stretch)
  }
}

extension ExpressionBaseline: BinaryStateValue {
  public static var blank: ExpressionBaseline { .zero }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var base = self.base
    coder.pass(&base)
    coder.require(all((base .>= 0) .& (base .<= Self.highest)))
    if coder.isReading, coder.isSound { self = ExpressionBaseline(base: base) }
  }
}

extension ExpressionBaseline: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionBaseline(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
