public import MienCore

/// Takes the baseline of a person from a neutral face that is held still for a second.
///
/// A value without clock and dice. A face that moves starts the second again; one that is clearly no neutral one, too.
public struct BaselineCalibrator: Hashable, Sendable {
  /// Where the calibration stands.
  public enum State: Hashable, Sendable {
    /// No usable face yet, or it moved. Next: holding.
    case waiting
    /// A still face since then. Next: waiting, done.
    case holding(since: MonotonicInstant)
    /// Final.
    case done(ExpressionBaseline)
  }

  /// How long the face is held still.
  public let length: Interval
  /// How far a coefficient may stray from its mean so far; blinks are let pass.
  public let largestStray: Float
  public private(set) var state = State.waiting
  /// How much of the time is done, 0…1.
  public private(set) var progress: Float = 0
  /// How many faces there were in the last observation.
  public private(set) var face = ExpressionProgress.Face.noFace

  private var last: MonotonicInstant?
  private var sum = SIMD16<Float>(repeating: 0)
  private var count = SIMD16<Float>(repeating: 0)

  /// Refuses (nil) a length outside 0.3…10 s and a stray outside 0.02…0.5.
  public init?(length: Interval = .seconds(1), largestStray: Float = 0.15) {
    guard (Interval.milliseconds(300)...Interval.seconds(10)).contains(length), (0.02...0.5).contains(largestStray)
    else { return nil }
    self.length = length
    self.largestStray = largestStray
  }

  /// The baseline, once the face was held.
  public var baseline: ExpressionBaseline? {
    if case .done(let baseline) = state { baseline } else { nil }
  }

  /// Takes the next observation; one that is not newer than the last is left out.
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
    // A blink is part of a neutral face: closing lids neither end the second nor count.
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

  /// A face whose mouth is at work is no neutral one.
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
  /// The length and the stray are its maker's.
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
  public var description: String { "CalibrationMachine(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
