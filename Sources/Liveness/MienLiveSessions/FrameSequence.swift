internal import MienCore
internal import MienPlatform

/// Order in which a session's frames are analyzed: one at a time, by the numbers that the client gave them.
///
/// Frames that are sent at the same time may arrive in another order. An early frame waits for its predecessors until
/// they have been analyzed or until its wait expires; then the missing ones are passed over. A client that does not
/// number its frames sends one at a time.
package struct FrameSequence: Sendable {
  /// Maximum number of frames of a session on the server at the same time. 15 frames/s with a round trip of 400 ms and their analysis need
  /// seven to eight.
  package static let maximumWindow = 8
  /// Time after which the wait of an early frame expires. A frame that lost packets is sent again a round trip and TCP's shortest
  /// retransmission timeout (200 ms) later, and once more after a second loss. Meanwhile clients keep the frames that do not fit into the
  /// window.
  static let gapTime = Interval.milliseconds(700)
  /// Minimum number of waiting frames, the next one among them, at which the server counts as behind.
  private static let framesBehind = 3

  /// Number of the next frame; `nil` before the first one.
  private var next: Int64?
  private var waiting: Set<Int64> = []
  private var expired: Set<Int64> = []
  private var isBusy = false
  /// Number of frames in a row after whose analysis the server was behind.
  private var finishedBehind = 0
  /// Number of frames that the client may have under way; lower while the server cannot keep up.
  package private(set) var window = maximumWindow

  /// - Parameter last: number of the last frame that was analyzed, on this server or on another one.
  package init(after last: Int64? = nil) { next = last.map { $0 + 1 } }

  /// `true` if a frame has this number, or a later one was analyzed before.
  package func isUsed(_ number: Int64) -> Bool {
    waiting.contains(number) || next.map { number < $0 } == true
  }

  /// Throws if the session has as many frames as it may have. Call it before the body of the next frame is read.
  package func expectRoom(numbered: Bool, orExplain reason: String) throws {
    guard numbered else {
      guard !isBusy, waiting.isEmpty else { throw ServiceError(.frameInFlight, reason) }
      return
    }
    guard waiting.count + (isBusy ? 1 : 0) < Self.maximumWindow else {
      throw ServiceError(
        .tooManyFrames,
        "\(Self.maximumWindow) frames of this session are under way, the maximum. Send fewer at the same time.",
        retryAfter: 1)
    }
  }

  /// Enters a frame that has arrived.
  ///
  /// - Parameter number: the client's number of the frame; `nil` if it does not number its frames.
  /// - Returns: `true` if the frame is to be analyzed now, and `false` if it has to wait. Other waiting frames may have
  ///   become ready: call ``ready()``.
  package mutating func arrive(_ number: Int64?, orExplain reason: String) throws -> Bool {
    try expectRoom(numbered: number != nil, orExplain: reason)
    guard let number else {
      isBusy = true
      return true
    }
    guard !isUsed(number) else {
      throw ServiceError(
        .outOfOrder,
        "The frame's number was used, or a later frame was analyzed. Number the frames in capture order.")
    }
    if !isBusy, waiting.isEmpty, next == nil || next == number {
      begin(number)
      return true
    }
    waiting.insert(number)
    return false
  }

  /// Returns the number of the waiting frame that is to be analyzed now, if there is one.
  package mutating func ready() -> Int64? {
    guard !isBusy, let first = waiting.min() else { return nil }
    guard next == nil || next == first || !expired.isEmpty else { return nil }
    waiting.remove(first)
    expired.remove(first)
    begin(first)
    return first
  }

  /// Ends the wait of a frame for its missing predecessors.
  package mutating func expire(_ number: Int64) {
    if waiting.contains(number) { expired.insert(number) }
  }

  /// Ends the analysis of a frame.
  package mutating func finish() {
    isBusy = false
    // Frames that wait although they could be analyzed show that the server is behind, unless they only arrived
    // together after a late frame. Therefore only a long run of them reduces the window.
    let isBehind = waiting.count >= Self.framesBehind && next.map { waiting.contains($0) } == true
    finishedBehind = isBehind ? finishedBehind + 1 : 0
    if finishedBehind > Self.maximumWindow {
      window = max(1, window - 1)
    } else if !isBehind {
      window = min(Self.maximumWindow, window + 1)
    }
  }

  private mutating func begin(_ number: Int64) {
    isBusy = true
    next = number + 1
  }
}
