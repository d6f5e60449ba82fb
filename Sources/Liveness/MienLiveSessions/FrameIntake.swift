package import MienCore
package import MienPlatform

/// Analysis of a session's frames, one at a time, on this server. Another server that continues the session has models
/// of its own and detects the face again.
package struct FrameIntake: Sendable {
  /// State of the face tracker after the last frame.
  package private(set) var track: FaceTrack
  private var budget = ProcessingBudget()
  /// `true` while a frame is analyzed.
  package private(set) var isProcessing = false
  private var sequence: FrameSequence
  private var waiting: [Int64: CheckedContinuation<Void, Never>] = [:]
  private var lastArrival: MonotonicInstant?

  /// - Parameter number: number of the last frame that was analyzed, on this server or on another one.
  package init(track: FaceTrack, after number: Int64? = nil) {
    self.track = track
    sequence = FrameSequence(after: number)
  }

  package mutating func begin() { isProcessing = true }
  package mutating func end() { isProcessing = false }

  // MARK: - Order

  /// Number of frames that the client may have under way.
  package var window: Int { sequence.window }

  /// Number of frames that wait for their turn.
  package var waitingFrames: Int { waiting.count }

  /// `true` if a frame with this number was received before.
  package func isUsed(_ number: Int64) -> Bool { sequence.isUsed(number) }

  /// Throws if the session has as many frames as it may have. Call it before the body of the next frame is read.
  package func expectRoom(numbered: Bool, orExplain reason: String) throws {
    try sequence.expectRoom(numbered: numbered, orExplain: reason)
  }

  /// Enters a frame that has arrived; returns `false` if it has to ``wait(_:_:)``.
  mutating func arrive(_ number: Int64?, orExplain reason: String) throws -> Bool {
    try sequence.arrive(number, orExplain: reason)
  }

  mutating func wait(_ number: Int64, _ continuation: CheckedContinuation<Void, Never>) {
    waiting[number] = continuation
    resumeNext()
  }

  /// Ends the wait of a frame for its missing predecessors.
  mutating func expire(_ number: Int64) {
    sequence.expire(number)
    resumeNext()
  }

  mutating func finish() {
    sequence.finish()
    resumeNext()
  }

  /// Resumes the waiting frame whose turn has come, if there is one.
  private mutating func resumeNext() {
    guard let number = sequence.ready() else { return }
    waiting.removeValue(forKey: number)?.resume()
  }

  // MARK: - Analysis

  /// Returns the time at which a frame arrived, which never runs backward: a frame that arrived before its predecessor
  /// counts as arrived with it.
  package mutating func arrival(_ now: MonotonicInstant) -> MonotonicInstant {
    let arrival = max(lastArrival ?? now, now)
    lastArrival = arrival
    return arrival
  }

  /// Rejects a frame if the session has used up its processing time.
  package func expectBudget() throws { try budget.admit() }

  /// Accepts the tracker's result for a frame, and records a frame with a face in the replay guard.
  ///
  /// - Parameters:
  ///   - entry: the replay guard's entry for the frame; `nil` for a frame without a face, which is not recorded.
  ///   - reason: error text for a frame of another session.
  /// - Returns: the observation; `nil` for a frame with a face that this session sent before.
  package mutating func accept(
    _ seen: (observation: FaceObservation, track: FaceTrack, took: Interval), entry: ReplayGuard.Entry?,
    orExplain reason: String
  ) throws -> FaceObservation? {
    budget.use(seen.took)
    switch entry {
    case .otherSession: throw ServiceError(.frameReplayed, reason)
    case .sameSession: return nil
    case .new, nil:
      track = seen.track
      return seen.observation
    }
  }
}

extension FaceObservation {
  /// `true` if the frame shows a face, tracked or not.
  package var showsFace: Bool { face != nil || faceCount > 0 }
}
