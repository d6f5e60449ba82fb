package import MienAPI
package import MienClient
package import MienCore
internal import MienRecordings

/// Replays a performance to a server in real time: nothing is sent before a camera could have captured it.
package struct PerformanceReplayer {
  /// Starts the performance, once there is data to send: the server's timeout is short.
  private let begin: () async throws -> PerformanceConnection
  /// Latest response of the server; `nil` before anything was sent.
  package private(set) var last: PerformanceStepResponse?
  private let clock = ContinuousClock()
  /// Time when the first frame or observation was available; reading a video delays it.
  private var began: ContinuousClock.Instant?

  /// Approximate duration of a recording that is sent in one request.
  private static let portion = Interval.milliseconds(250)
  /// Maximum number of retries if no response was received.
  private static let retries = 4

  package init(begin: @escaping () async throws -> PerformanceConnection) {
    self.begin = begin
  }

  private var isOver: Bool { last.map { $0.state != "performing" } ?? false }

  /// Sends observations in batches, each when it is due.
  package mutating func perform(_ observations: [ClientObservation]) async throws {
    let connection = try await begin()
    began = clock.now
    var rest = observations[...]
    while let first = rest.first, !isOver {
      let part = rest.prefix { $0.at.since(first.at) < Self.portion }
      rest = rest.dropFirst(part.count)
      guard let end = part.last else { return }
      try await wait(until: end.at)
      var writer = ObservationLinesWriter(header: nil)
      for observation in part { try writer.append(observation) }
      let lines = writer.bytes
      // If the server has already accepted a batch, it rejects the retry as out of order.
      let step = try await Self.sent(unless: .outOfOrder) { try await connection.send(observationLines: lines) }
      if let step { last = step }
    }
  }

  /// Sends the frames of a video. Late frames are skipped, as a camera would have continued while the server processed
  /// a frame.
  package mutating func perform(_ video: VideoFrames) async throws {
    var begun: (connection: PerformanceConnection, start: MonotonicInstant)?
    do {
      try await video.forEach { frame, index, count in
        if begun == nil {
          begun = (connection: try await begin(), start: frame.at)
          began = clock.now
        }
        guard let (connection, start) = begun else { return }
        let since = frame.at.since(start)
        guard index == 0 || index == count - 1 || since >= elapsed else { return }
        try await wait(until: .zero + since)
        // A frame that is too late by now is skipped like other late frames.
        let step = try await Self.sent(unless: .timestampOutOfRange) {
          try await connection.send(frame: frame.bytes, capturedAt: since)
        }
        if let step { last = step }
        if isOver { throw Finished() }
      }
    } catch is Finished {
      return
    }
  }

  /// Stops reading the video, because the rest is not needed.
  private struct Finished: Error {}

  /// Sends a request and retries it if no response was received: the server may have opened a burn-after-reading
  /// message in the meantime, and repeats its response to the retry.
  ///
  /// - Parameter refusal: error with which the server rejects a retry that it has already processed.
  /// - Returns: the response, or `nil` if a retry was rejected with `refusal`.
  private static func sent(
    unless refusal: ClientError.Code, _ send: () async throws -> PerformanceStepResponse
  ) async throws -> PerformanceStepResponse? {
    var tries = 0
    while true {
      do {
        return try await send()
      } catch let error as ClientError {
        guard tries == 0 || error.code != refusal else { return nil }
        // The server may still be processing the first request, whose response was lost.
        let passes =
          [ClientError.Code.unreachable, .unreadable, .busy].contains(error.code)
          || tries > 0 && error.code == .frameInFlight
        guard passes, tries < retries else { throw error }
        tries += 1
        try await Task.sleep(for: .milliseconds(500 * tries))
      }
    }
  }

  private var elapsed: Interval {
    guard let began else { return .zero }
    return Interval(nanoseconds: Int64((clock.now - began) / .nanoseconds(1)))
  }

  private func wait(until time: MonotonicInstant) async throws {
    let rest = time.since(.zero).nanoseconds - elapsed.nanoseconds
    if rest > 0 { try await Task.sleep(for: .nanoseconds(rest)) }
  }
}
