package import MienCore
internal import MienPlatform

/// Relation of a client's monotonic clock to the server's, from the timestamps of its frames. The server's clock alone
/// determines the timing of frames; timestamps of a client are only checked against it.
package struct ClientClock: Sendable {
  /// A pair of times: of the first frame, unless that was delayed.
  package let client: Interval
  package let server: MonotonicInstant
  /// The client's latest time.
  package let latest: Interval

  /// Maximum time for which a frame may have been on its way.
  package static let longestDelay = Interval.seconds(15)

  /// Checks the timestamp of a frame.
  ///
  /// A frame cannot arrive before it was captured. If it seems to, the frame that serves as time reference was on its way
  /// for longer: this frame then becomes the reference. The reference is therefore the frame with the shortest delay, and
  /// no time on the server's clock that follows from it lies after the frame's arrival.
  package static func checked(
    _ clock: ClientClock?, frameAt client: Interval, now: MonotonicInstant, tolerance: Interval
  ) throws -> ClientClock {
    if let clock, client >= clock.latest {
      let onClient = client.nanoseconds.subtractingReportingOverflow(clock.client.nanoseconds)
      let lead = onClient.partialValue.subtractingReportingOverflow(now.since(clock.server).nanoseconds)
      if !onClient.overflow, !lead.overflow, (1...longestDelay.nanoseconds).contains(lead.partialValue) {
        return ClientClock(client: client, server: now, latest: client)
      }
    }
    return try checked(clock, observationAt: client, now: now, tolerance: tolerance, isBatch: false)
  }

  /// Checks the timestamp of an observation.
  ///
  /// - Parameter isBatch: `true` for several observations in one request, which may be older.
  package static func checked(
    _ clock: ClientClock?, observationAt client: Interval, now: MonotonicInstant, tolerance: Interval, isBatch: Bool
  ) throws -> ClientClock {
    guard let clock else { return ClientClock(client: client, server: now, latest: client) }
    guard client >= clock.latest else {
      throw ServiceError(
        .outOfOrder,
        "A timestamp is earlier than the previous one. Send frames in capture order.")
    }
    let onClient = client.nanoseconds.subtractingReportingOverflow(clock.client.nanoseconds)
    let onServer = now.since(clock.server).nanoseconds
    guard !onClient.overflow, onClient.partialValue - onServer <= tolerance.nanoseconds,
      onServer - onClient.partialValue <= tolerance.nanoseconds * (isBatch ? 2 : 1)
    else {
      throw ServiceError(
        .timestampOutOfRange,
        "A timestamp differs from the server's clock by more than \(tolerance.inSeconds) s since the check began. "
          + "Use the device's monotonic clock and send frames as they are captured.")
    }
    return ClientClock(client: clock.client, server: clock.server, latest: client)
  }

  /// Returns the time on the server's clock for a time on the client's.
  package func onServer(_ client: Interval) -> MonotonicInstant {
    server + Interval(nanoseconds: client.nanoseconds &- self.client.nanoseconds)
  }

  /// Encodes or decodes an optional clock.
  static func pass(_ clock: inout ClientClock?, over coder: inout BinaryStateCoder) {
    var times = clock.map { [$0.client, $0.latest] } ?? []
    var server = clock?.server
    coder.pass(&times)
    coder.pass(&server)
    coder.require(times.count == (server == nil ? 0 : 2))
    guard coder.isSound else { return }
    clock = server.map { ClientClock(client: times[0], server: $0, latest: times[1]) }
  }
}
