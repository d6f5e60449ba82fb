public import MienCore
public import MienAPI

/// What a check does at this moment.
public enum LivenessProgress: Hashable, Sendable {
  /// The server looked at a frame and says what comes next.
  case step(LivenessStep)
  /// No reply came; the check tries again.
  case unreachable
  /// The server has too much to do; the check tries again.
  case busy
}

/// What the person is to do now, for a screen to draw, to say and to word; codes, never sentences.
public struct LivenessStep: Hashable, Sendable {
  /// Where a check stands.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case positioning, depth, instructing, tracking, passed, failed
    case timedOut = "timed-out"

    /// True when the check is over.
    public var isFinal: Bool { self == .passed || self == .failed || self == .timedOut }
  }

  public var phase: Phase
  /// `position-face`, `hold-still`, `get-ready`, `turn`, `come-back`, `perform` or `done`.
  public var instruction: String
  /// The person's own side, where one is asked.
  public var side: Side?
  /// 0…1.
  public var progress: Float
  /// Advice that this version knows.
  public var hints: [FramingHint]
  /// Why it failed or timed out.
  public var reason: String?
  public var remaining: Interval
  /// 36 points around the face, fractions of the unmirrored picture; empty when no face is seen.
  public var outline: [SIMD2<Float>]
  /// The present task, where the check has tasks.
  public var task: TaskResponse?
  /// Which attempt of how many it is, where the check has more than one.
  public var attempt: StepResponse.AttemptResponse?

  /// - Throws: ``ClientError`` with ``ClientError/Code/unreadable`` for a phase that this version does not know.
  init(_ reply: StepResponse) throws {
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
    attempt = reply.attempt
  }
}

extension LivenessStep: CustomStringConvertible, CustomReflectable {
  public var description: String { "LivenessStep(\(phase.rawValue), \(instruction))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
