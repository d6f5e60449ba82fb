public import MienCore

/// Passes as soon as enough consecutive depth captures meet the subject's thresholds within a time window.
///
/// A value type without a clock: callers supply timestamps. All instants must come from one clock.
public struct DepthGateStateMachine: Sendable {
  public enum State: Hashable, Sendable {
    /// Next: watching, notAssessed.
    case idle
    /// Captures are evaluated and the window is open. Next: passed, failed, notAssessed.
    case watching
    /// Final.
    case passed
    /// The window closed and captures missed the thresholds; contains the reason of the last miss. Final.
    case failed(DepthFailureReason)
    /// The gate could not be assessed. Final.
    case notAssessed(UnavailableReason)
  }

  public let basis: DepthReference
  public let settings: DepthGateSettings
  public private(set) var state = State.idle
  /// Number of consecutive captures that met the thresholds.
  public private(set) var run = 0
  private var began = MonotonicInstant.zero
  private var lastAt: MonotonicInstant?
  private var measured = 0
  private var unmeasured = 0
  /// Last evaluated capture, which the finding reports.
  private var last: DepthMeasures?
  /// Threshold missed by the last capture that missed one.
  private var shortfall: DepthFailureReason?

  public init(basis: DepthReference, settings: DepthGateSettings = .standard) {
    self.basis = basis
    self.settings = settings
  }

  /// Opens the window. Without depth or enrollment, the gate becomes not assessed immediately. Has an effect only in the idle state.
  public mutating func begin(at: MonotonicInstant) {
    guard state == .idle else { return }
    began = at
    switch basis {
    case .noDepth: state = .notAssessed(.noDepth)
    case .notEnrolled: state = .notAssessed(.notEnrolled)
    case .enrolled: state = .watching
    }
  }

  /// Instant at which the window closes.
  public var deadline: MonotonicInstant { began + settings.window }

  /// Evaluates one capture. A capture that is not newer than the last one, or whose measures are identical to it, is ignored: a sensor
  /// never repeats a measurement exactly, but a replay does.
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

  /// Advances time and closes the window after its deadline.
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

  /// Finding of the gate, or `nil` while it is open. Native measure: the margin of the last capture, which is its smallest shape measure
  /// as a multiple of the threshold. Score: half the margin, at most 1, so that ½ just meets the threshold.
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

  /// Measures of a passed gate, for updating the thresholds; otherwise `nil`.
  public var accepted: DepthMeasures? { state == .passed ? last : nil }
}

extension DepthGateStateMachine: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthGateStateMachine(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DepthGateStateMachine: BinaryStateCodable {
  /// The reference and the settings are not encoded: the decoding side must create the state machine with the same values.
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

/// Settings of the depth gate. The initializer validates every value.
public struct DepthGateSettings: Hashable, Sendable {
  /// Maximum wait for enough captures, 0.5…60 s.
  public let window: Interval
  /// Number of consecutive captures that must meet the thresholds, 1…100.
  public let consecutive: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(window: Interval = .seconds(5), consecutive: Int = 3) {
    guard (Interval.milliseconds(500)...Interval.seconds(60)).contains(window), (1...100).contains(consecutive)
    else { return nil }
    self.window = window
    self.consecutive = consecutive
  }

  /// Default settings.
  public static let standard: DepthGateSettings = {
    guard let settings = DepthGateSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}

/// Threshold that a depth capture misses; the raw value is the stable reason of a `depth-gate` finding.
public enum DepthFailureReason: String, Hashable, Sendable, CaseIterable {
  case outOfRange = "out-of-range"
  case tooLittleValidDepth = "too-little-valid-depth"
  /// The face is planar.
  case flat = "flat"
  /// The face is curved in one direction only, like a bent sheet.
  case bentSheet = "bent-sheet"
  /// The nose does not protrude enough.
  case lowRelief = "low-relief"
  /// The center does not protrude enough relative to the rim.
  case lowCenter = "low-center"
}
