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

  /// Checks the client's timestamp of a frame.
  package mutating func check(capturedAt: Interval?, at now: MonotonicInstant, tolerance: Interval) throws {
    guard let capturedAt else { return }
    clock = try ClientClock.checked(clock, frameAt: capturedAt, now: now, tolerance: tolerance)
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
  package mutating func close() { (clock, digests) = (nil, []) }

  /// Encodes or decodes the value.
  package mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&client)
    ClientClock.pass(&clock, over: &coder)
    coder.pass(&digests)
    coder.require(digests.count.isMultiple(of: 16))
  }
}
