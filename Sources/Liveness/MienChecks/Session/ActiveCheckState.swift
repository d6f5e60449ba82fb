internal import MienPlatform
internal import MienLiveSessions
internal import MienLiveness
internal import MienCore

/// The complete state of a running check, on which its verdict will be based. Small enough to be saved several times a
/// second.
///
/// Excludes the tracker's state: after moving to another server, the face is detected again.
package struct ActiveCheckState: Sendable {
  /// Version of the binary format; incremented whenever the state of a state machine changes its layout.
  static let version: UInt8 = 3

  let record: CheckRecord
  let basis: DepthReference
  let settings: ServiceSettings
  private(set) var attempts: [AttemptPlan]
  var machine: CheckStateMachine
  /// Attempts that did not pass.
  var previousAttempts: [FailedAttempt] = []
  /// Monitors passive signals; created with the first frame, since it takes several KB.
  var passive: PassiveSignalMonitor?
  var input = SessionInput()
  var source = CheckResult.Source.none
  var frames = 0
  var received: FrameHashChain
  /// - Parameter attempts: at least one.
  init(_ record: CheckRecord, attempts: [AttemptPlan], basis: DepthReference, settings: ServiceSettings) {
    self.record = record
    self.attempts = attempts
    self.basis = basis
    self.settings = settings
    received = FrameHashChain(of: record.id)
    machine = Self.machine(attempts[0], basis, of: record, settings)
  }

  private static func machine(
    _ plan: AttemptPlan, _ basis: DepthReference, of record: CheckRecord, _ settings: ServiceSettings
  ) -> CheckStateMachine {
    let depthDecides = settings.allowsClaims && record.sources.contains(.depth)
    return plan.tasks.map {
      CheckStateMachine(plan: $0, depth: basis, depthDecides: depthDecides, settings: settings.check)
    } ?? CheckStateMachine(side: plan.side, depth: basis, depthDecides: depthDecides, settings: settings.check)
  }

  /// The current attempt.
  var attempt: AttemptPlan { attempts[previousAttempts.count] }

  /// Appends a frame's digest to the hash chain, and records its content digest.
  mutating func receive(_ digest: [UInt8], content: [UInt8]) {
    received.append(digest)
    input.receive(content)
  }

  /// Starts the next attempt after a failed one; returns `false` if there is none.
  mutating func tryAgain(after failed: FailedAttempt) -> Bool {
    guard previousAttempts.count + 1 < attempts.count else { return false }
    previousAttempts.append(failed)
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
    var isWatched = passive != nil
    coder.pass(&isWatched)
    if isWatched {
      var watch = passive ?? PassiveSignalMonitor(settings: settings.passiveSettings)
      coder.pass(&watch)
      passive = watch
    }
    input.pass(over: &coder)
    coder.pass(choice: &source)
    coder.pass(&frames)
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
    previousAttempts = outcomes.indices.compactMap { index in
      CheckResult.Outcome(rawValue: outcomes[index]).map {
        FailedAttempt(outcome: $0, reason: reasons[index], ended: UnixTime(milliseconds: ends[index]))
      }
    }
    coder.require(previousAttempts.count == outcomes.count)
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
