public import MienCore

/// Passes as soon as enough depth captures in a row meet the person's thresholds, within a window of time.
///
/// A value without clock: it is told when things happen. All instants must be of one clock.
public struct DepthGateStateMachine: Sendable {
  public enum State: Hashable, Sendable {
    /// Next: watching, notAssessed.
    case idle
    /// Captures are judged and the window runs. Next: passed, failed, notAssessed.
    case watching
    /// Final.
    case passed
    /// The window is over and captures missed the thresholds; with what the last of those missed. Final.
    case failed(DepthFailureReason)
    /// It could not look. Final.
    case notAssessed(UnavailableReason)
  }

  public let basis: DepthReference
  public let settings: DepthGateSettings
  public private(set) var state = State.idle
  /// How many captures in a row have met the thresholds.
  public private(set) var run = 0
  private var began = MonotonicInstant.zero
  private var lastAt: MonotonicInstant?
  private var measured = 0
  private var unmeasured = 0
  /// The capture that the finding shows: the last one judged.
  private var last: DepthMeasures?
  /// What the last capture that missed a threshold missed.
  private var shortfall: DepthFailureReason?

  public init(basis: DepthReference, settings: DepthGateSettings = .standard) {
    self.basis = basis
    self.settings = settings
  }

  /// Opens the window; without depth or enrolment the gate is not assessed at once. Only from idle.
  public mutating func begin(at: MonotonicInstant) {
    guard state == .idle else { return }
    began = at
    switch basis {
    case .noDepth: state = .notAssessed(.noDepth)
    case .notEnrolled: state = .notAssessed(.notEnrolled)
    case .enrolled: state = .watching
    }
  }

  /// When the window closes.
  public var deadline: MonotonicInstant { began + settings.window }

  /// Judges one capture. One that is not newer than the last, or that measures exactly like it, does not count: a
  /// sensor never repeats itself, a replay does.
  public mutating func process(_ assessment: DepthMeasurementResult, at: MonotonicInstant) {
    tick(at: at)
    guard state == .watching, case .enrolled(let thresholds) = basis, at >= began else { return }
    if let lastAt, at <= lastAt { return }
    lastAt = at
    switch assessment {
    case .notAssessed:
      unmeasured += 1
      run = 0
    case .measured(let measures):
      guard measures != last else { return }
      measured += 1
      last = measures
      let missed = thresholds.shortfall(of: measures)
      if missed != nil { shortfall = missed }
      run = missed == nil ? run + 1 : 0
      if run >= settings.consecutive { state = .passed }
    }
  }

  /// Time passes: the window may close.
  public mutating func tick(at now: MonotonicInstant) {
    guard state == .watching, now > deadline else { return }
    if measured >= settings.consecutive, let shortfall {
      state = .failed(shortfall)
    } else if measured > 0 {
      state = .notAssessed(.tooFewFrames(measured))
    } else {
      state = .notAssessed(unmeasured > 0 ? .tooLittleValidDepth : .noDepth)
    }
  }

  /// What the gate found, or nil while it is still open. Native measure: the last capture's margin, which is its smallest
  /// shape measure as a multiple of the threshold; score: half the margin, at most 1, so that ½ just meets it.
  public var finding: Finding? {
    switch state {
    case .idle, .watching: nil
    case .notAssessed(let obstacle): Finding(check: "depth-gate", result: .notAssessed(obstacle))
    case .passed: measure.map { Finding(check: "depth-gate", result: .genuine($0)) }
    case .failed(let shortfall):
      measure.map { Finding(check: "depth-gate", result: .suspect($0, because: shortfall.rawValue)) }
    }
  }

  private var measure: Finding.Measure? {
    guard case .enrolled(let thresholds) = basis, let last else { return nil }
    let margin = thresholds.margin(of: last)
    return Score(min(max(margin / 2, 0), 1)).map {
      Finding.Measure(native: margin, score: $0, calibration: thresholds.calibration)
    }
  }

  /// What an accepted check may teach the thresholds: the measures that passed, or nil.
  public var accepted: DepthMeasures? { state == .passed ? last : nil }
}

extension DepthGateStateMachine: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthGateMachine(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DepthGateStateMachine: BinaryStateCodable {
  /// Basis and settings are not on the tape: whoever reads has made a machine with the same ones.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&state)
    coder.pass(&run)
    coder.pass(&began)
    coder.pass(&lastAt)
    coder.pass(&measured)
    coder.pass(&unmeasured)
    coder.pass(&last)
    coder.pass(choice: &shortfall)
  }
}

extension DepthGateStateMachine.State: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (tag, shortfall, obstacle) = (0, DepthFailureReason?.none, UnavailableReason.noDepth)
    switch self {
    case .idle: tag = 0
    case .watching: tag = 1
    case .passed: tag = 2
    case .failed(let missed): (tag, shortfall) = (3, missed)
    case .notAssessed(let why): (tag, obstacle) = (4, why)
    }
    coder.pass(&tag)
    coder.pass(choice: &shortfall)
    coder.pass(&obstacle)
    switch (tag, shortfall) {
    case (0, nil): self = .idle
    case (1, nil): self = .watching
    case (2, nil): self = .passed
    case (3, let missed?): self = .failed(missed)
    case (4, nil): self = .notAssessed(obstacle)
    default: coder.require(false)
    }
  }
}
