package import MienCore
internal import MienPlatform

/// Input that a session has received: its client, the client's clock and the frames. Part of the saved state.
package struct SessionInput: Sendable {
  /// Number of recent frames recorded to detect repetitions; more than a minute's worth.
  package static let rememberedFrames = 1024

  /// Name of the page or app instance that owns the session; `nil` before its first request.
  package private(set) var client: String?
  private var clock: ClientClock?
  /// The first half of the content digest of each recent frame, 16 bytes each.
  package private(set) var digests: [UInt8] = []

  /// The client's number of the last frame that was analyzed; `nil` if it does not number its frames.
  package private(set) var lastFrame: Int64?
  /// Time that the last numbered frame was given.
  private var lastTime: MonotonicInstant?

  package init() {}

  /// Throws if another client owns the session. A client without a name counts as a client as well.
  package func expectClient(_ name: String?, orExplain reason: String) throws {
    guard client == nil || client == name ?? "" else { throw ServiceError(.secondClient, reason) }
  }

  /// Makes a client the owner of the session, if it has none.
  package mutating func bind(to name: String?) {
    if client == nil { client = name ?? "" }
  }

  /// Records the content digest of a frame.
  package mutating func receive(_ content: [UInt8]) {
    digests += content.prefix(16)
    if digests.count > 16 * Self.rememberedFrames { digests.removeFirst(16) }
  }

  /// Records the number of the frame that is analyzed next.
  package mutating func begin(_ number: Int64?) {
    if let number { lastFrame = number }
  }

  /// Checks the client's timestamp of a frame, and returns the frame's time on the server's clock.
  ///
  /// A client that sends one frame at a time cannot send faster than it gets responses: the arrival is the time.
  /// Frames that are under way together arrive in bursts on a slow link, and their arrivals say nothing about the
  /// movement: their time is that of the client, as far as the server's clock allows. It lies at most `tolerance`
  /// before the arrival, never after it, and never before that of an earlier frame.
  package mutating func time(
    ofFrame number: Int64?, capturedAt: Interval?, arrived: MonotonicInstant, tolerance: Interval
  ) throws -> MonotonicInstant {
    guard let capturedAt else {
      guard number == nil else {
        throw ServiceError(.badValue, "A frame with a number needs its capture time: send Mien-Captured-At as well.")
      }
      return arrived
    }
    let checked = try ClientClock.checked(clock, frameAt: capturedAt, now: arrived, tolerance: tolerance)
    clock = checked
    guard number != nil else { return arrived }
    let time = max(lastTime ?? .zero, min(arrived, checked.onServer(capturedAt)))
    lastTime = time
    return time
  }

  /// Checks the timestamps of observations reported by the client.
  ///
  /// - Returns: the observations with their times on the server's clock. If one of them is rejected, nothing changes.
  package mutating func timed(
    _ claims: [ClientObservation], at now: MonotonicInstant, tolerance: Interval
  ) throws -> [ClientObservation] {
    var checked = clock
    for claim in claims {
      checked = try ClientClock.checked(
        checked, observationAt: claim.at.since(.zero), now: now, tolerance: tolerance, isBatch: claims.count > 1)
    }
    clock = checked
    guard let checked else { return [] }
    return claims.map { claim in
      var claim = claim
      claim.at = checked.onServer(claim.at.since(.zero))
      return claim
    }
  }

  /// Discards what is needed only to evaluate further input.
  package mutating func close() { (clock, digests, lastTime) = (nil, [], nil) }

  /// Encodes or decodes the value.
  package mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&client)
    ClientClock.pass(&clock, over: &coder)
    coder.pass(&lastFrame)
    coder.pass(&lastTime)
    coder.pass(&digests)
    coder.require(digests.count.isMultiple(of: 16))
  }
}
