public import MienCore
public import MienAPI

/// Progress of a check.
public enum LivenessProgress: Hashable, Sendable {
  /// The server processed a frame and returned the next step.
  case step(LivenessStep)
  /// No response; the check retries.
  case unreachable
  /// The server is overloaded; the check retries.
  case busy
}

/// Current instruction to the user, as codes that the user interface renders and localizes.
public struct LivenessStep: Hashable, Sendable {
  /// Phase of a check.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case positioning, depth, instructing, tracking, passed, failed
    case timedOut = "timed-out"

    /// `true` if the check is over.
    public var isFinal: Bool { self == .passed || self == .failed || self == .timedOut }
  }

  public var phase: Phase
  /// `position-face`, `hold-still`, `get-ready`, `turn`, `come-back`, `perform` or `done`.
  public var instruction: String
  /// Side from the user's point of view, if the instruction names one.
  public var side: Side?
  /// Progress of the current instruction, 0…1.
  public var progress: Float
  /// Framing hints known to this version.
  public var hints: [FramingHint]
  /// Reason why the check failed or timed out.
  public var reason: String?
  public var remaining: Interval
  /// 36 points around the face, as fractions of the unmirrored image; empty if no face is detected.
  public var outline: [SIMD2<Float>]
  /// Current task, if the check has tasks.
  public var task: TaskResponse?
  /// Colors of the screen during a light task, corrected by the time that the step was on its way.
  public var light: LightColors?
  /// Current attempt and number of attempts, if the check has more than one.
  public var attempt: StepResponse.AttemptResponse?

  /// - Throws: ``ClientError`` with ``ClientError/Code/unreadable`` for a phase that this version does not know.
  init(_ reply: StepResponse, age: Interval = .zero) throws {
    guard let phase = Phase(rawValue: reply.state) else { throw ClientError.unreadable(status: 200) }
    self.phase = phase
    instruction = reply.instruction
    side = reply.side.flatMap(Side.init)
    progress = reply.progress
    hints = reply.hints.compactMap(FramingHint.init)
    reason = reply.reason
    remaining = .milliseconds(Double(reply.remainingMilliseconds))
    outline = reply.outline.compactMap { $0.count == 2 ? SIMD2($0[0], $0[1]) : nil }
    task = reply.task
    light = LightColors(reply.task, age: age)
    attempt = reply.attempt
  }
}

extension LivenessStep: CustomStringConvertible, CustomReflectable {
  public var description: String { "LivenessStep(\(phase.rawValue), \(instruction))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
