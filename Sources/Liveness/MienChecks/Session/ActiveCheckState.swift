internal import MienPlatform
internal import MienLiveSessions
internal import MienFaceMatch
internal import MienLiveness
internal import MienCore

/// The complete state of a running check, on which its verdict will be based. Small enough to be saved several times a
/// second.
///
/// Excludes the tracker's state: after moving to another server, the face is detected again.
package struct ActiveCheckState: Sendable {
  /// Version of the binary format; incremented whenever the state of a state machine changes its layout.
  static let version: UInt8 = 5

  let record: CheckRecord
  let basis: DepthReference
  let settings: ServiceSettings
  private(set) var attempts: [AttemptPlan]
  var machine: CheckStateMachine
  /// Attempts that did not pass.
  var previousAttempts: [FailedAttempt] = []
  /// Monitors passive signals; created with the first frame, since it takes several KB.
  var passive: PassiveSignalMonitor?
  /// Compares the face with itself over time.
  var onePerson: OnePersonMonitor
  var input = SessionInput()
  var source = CheckResult.Source.none
  var frames = 0
  var received: FrameHashChain
  /// Conditions of the frames, for feedback to a person who does not pass.
  var conditions = CaptureConditionMonitor()
  /// Compares the device's observations with the frames; `nil` if the check takes none.
  var devicePoses: DevicePoseComparison?

  /// - Parameter attempts: at least one.
  init(_ record: CheckRecord, attempts: [AttemptPlan], basis: DepthReference, settings: ServiceSettings) {
    self.record = record
    self.attempts = attempts
    self.basis = basis
    self.settings = settings
    received = FrameHashChain(of: record.id)
    onePerson = OnePersonMonitor(settings: settings.onePerson)
    machine = Self.machine(attempts[0], basis, of: record, settings)
    if record.sources.contains(.compared) { devicePoses = DevicePoseComparison() }
  }

  private static func machine(
    _ plan: AttemptPlan, _ basis: DepthReference, of record: CheckRecord, _ settings: ServiceSettings
  ) -> CheckStateMachine {
    let depthDecides = settings.allowsClaims && record.sources.contains(.depth)
    return plan.tasks.map {
      CheckStateMachine(plan: $0, depth: basis, depthDecides: depthDecides, settings: settings.check)
    } ?? CheckStateMachine(side: plan.side, depth: basis, depthDecides: depthDecides, settings: settings.check)
  }

  /// Plan of the current attempt.
  ///
  /// Every new beginning has new tasks, since the client knows the earlier ones. A head turn alone keeps its side after
  /// an interruption, and without a requested number of attempts: both sides can be recorded in advance, but a new side
  /// would let a recording of one pass.
  var attempt: AttemptPlan {
    var index = previousAttempts.count
    if attempts[0].isHeadTurnOnly {
      index = record.attempts == nil ? 0 : previousAttempts.count { !$0.isInterruption }
    }
    return attempts[index]
  }

  /// Number of the current attempt, starting at 1.
  var attemptNumber: Int { 1 + previousAttempts.count { !$0.isInterruption } }

  /// Appends a frame's digest to the hash chain.
  mutating func receive(_ digest: [UInt8]) { received.append(digest) }

  /// Starts the next attempt after a failed one, if ``AttemptPolicy`` grants one; returns `false` if it does not.
  mutating func tryAgain(after outcome: CheckResult.Outcome, because reason: String, at time: UnixTime) -> Bool {
    let text: String
    switch record.attemptPolicy.consequence(of: reason, after: previousAttempts) {
    case .end: return false
    case .beginAgain: text = FailedAttempt.interrupted
    case .nextAttempt: text = outcome.rawValue
    }
    guard previousAttempts.count + 1 < attempts.count else { return false }
    previousAttempts.append(FailedAttempt(outcome: text, reason: reason, ended: time))
    machine = Self.machine(attempt, basis, of: record, settings)
    return true
  }

  /// Restarts an attempt that would fail only because of a server outage, during which no frame could be sent. Timeouts
  /// are not forgiven.
  mutating func forgiveSilence(until now: MonotonicInstant) {
    var late = machine
    late.tick(at: now)
    if case .failed = late.state { machine = Self.machine(attempt, basis, of: record, settings) }
  }

  // MARK: - Serialization

  /// Serializes the state.
  ///
  /// - Parameter now: the current time on the clock of all instants in the state.
  func bytes(at now: MonotonicInstant) -> [UInt8] {
    var (copy, coder) = (self, BinaryStateCoder(writingAt: now))
    copy.pass(over: &coder)
    return coder.bytes
  }

  /// Restores a saved state; returns `false` and leaves this state unchanged if the bytes have other settings, another
  /// version or an invalid format.
  ///
  /// - Parameter then: the time of the saved state, on this server's clock.
  mutating func resume(from bytes: [UInt8], at then: MonotonicInstant) -> Bool {
    var (copy, coder) = (self, BinaryStateCoder(reading: bytes, at: then))
    copy.pass(over: &coder)
    guard coder.isReadToTheEnd else { return false }
    self = copy
    return true
  }

  private mutating func pass(over coder: inout BinaryStateCoder) {
    var (version, rules) = (Self.version, settings.version)
    coder.pass(&version)
    coder.pass(&rules)
    coder.require(version == Self.version && rules == settings.version)
    guard coder.isSound else { return }
    passAttempts(over: &coder)
    guard coder.isSound else { return }
    if coder.isReading { machine = Self.machine(attempt, basis, of: record, settings) }
    coder.pass(&machine)
    var hasMonitor = passive != nil
    coder.pass(&hasMonitor)
    if hasMonitor {
      var monitor = passive ?? PassiveSignalMonitor(settings: settings.passiveSettings)
      coder.pass(&monitor)
      passive = monitor
    }
    coder.pass(&onePerson)
    input.pass(over: &coder)
    coder.pass(choice: &source)
    coder.pass(&frames)
    coder.pass(&conditions)
    if var poses = devicePoses {
      coder.pass(&poses)
      devicePoses = poses
    }
    passChain(over: &coder)
  }

  private mutating func passAttempts(over coder: inout BinaryStateCoder) {
    var seeds = attempts.dropFirst().map(\.seed)
    var sides = attempts.dropFirst().map { $0.side == .subjectLeft }
    var outcomes = previousAttempts.map(\.outcome)
    var reasons = previousAttempts.map(\.reason)
    var ends = previousAttempts.map(\.ended)
    coder.pass(&seeds)
    coder.pass(&sides)
    coder.pass(&outcomes)
    coder.pass(&reasons)
    coder.pass(&ends)
    coder.require(
      seeds.count == attempts.count - 1 && sides.count == seeds.count && outcomes.count < attempts.count
        && reasons.count == outcomes.count && ends.count == outcomes.count)
    guard coder.isReading, coder.isSound else { return }
    let further = zip(seeds, sides).map { seed, isLeft in
      try? AttemptPlan(of: record, seed: seed, side: isLeft ? .subjectLeft : .subjectRight)
    }
    coder.require(further.allSatisfy { $0 != nil })
    attempts = [attempts[0]] + further.compactMap(\.self)
    let known = Set(CheckResult.Outcome.allCases.map(\.rawValue) + [FailedAttempt.interrupted])
    coder.require(known.isSuperset(of: outcomes))
    previousAttempts = outcomes.indices.map { index in
      FailedAttempt(outcome: outcomes[index], reason: reasons[index], ended: UnixTime(milliseconds: ends[index]))
    }
  }

  private mutating func passChain(over coder: inout BinaryStateCoder) {
    var (count, head) = (received.count, received.head)
    coder.pass(&count)
    coder.pass(&head)
    guard let chain = FrameHashChain(count: count, head: head) else { return coder.require(false) }
    received = chain
  }
}

extension ActiveCheckState: CustomStringConvertible, CustomReflectable {
  package var description: String { "ActiveCheckState(withheld)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
