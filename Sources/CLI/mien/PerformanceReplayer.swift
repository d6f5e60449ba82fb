import MienClient
import MienCore
import MienRecordings
import MienAPI

/// Performs before a server in real time: what it sends, a camera could have seen just then.
struct PerformanceReplayer {
  /// Begins the performance, when there is something to send: the server does not wait long for it.
  let begin: () async throws -> PerformanceConnection
  /// What the server said last; nil before anything was sent.
  private(set) var last: PerformanceStepResponse?
  private let clock = ContinuousClock()
  /// When the first frame or observation was there; reading a video takes a while before that.
  private var began: ContinuousClock.Instant?

  private static let open: Set<String> = ["performing", "calibrating"]
  /// About as much of a recording as goes into one request.
  private static let portion = Interval.milliseconds(250)
  /// How often something is sent again when no reply came.
  private static let retries = 4

  init(begin: @escaping () async throws -> PerformanceConnection) {
    self.begin = begin
  }

  private var isOver: Bool { last.map { !Self.open.contains($0.state) } ?? false }

  /// Sends observations, several in one request, each when its time has come.
  mutating func perform(_ observations: [ClientObservation]) async throws {
    let line = try await begin()
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
      // Taken the first time, they lie before themselves.
      let step = try await Self.sent(unless: .outOfOrder) { try await line.send(observationLines: lines) }
      if let step { last = step }
    }
  }

  /// Sends frames of a video. While the server looks at one, a camera would have gone on: frames that are late are left out.
  mutating func perform(_ video: VideoFrames) async throws {
    var begun: (line: PerformanceConnection, start: MonotonicInstant)?
    do {
      try await video.forEach { frame, index, count in
        if begun == nil {
          begun = (line: try await begin(), start: frame.at)
          began = clock.now
        }
        guard let (line, start) = begun else { return }
        let since = frame.at.since(start)
        guard index == 0 || index == count - 1 || since >= elapsed else { return }
        try await wait(until: .zero + since)
        // What comes too late by now is left out, as other late frames are.
        let step = try await Self.sent(unless: .timestampOutOfRange) {
          try await line.send(frame: frame.bytes, capturedAt: since)
        }
        if let step { last = step }
        if isOver { throw Finished() }
      }
    } catch is Finished {
      return
    }
  }

  /// The rest of the video is not needed.
  private struct Finished: Error {}

  /// Sends the same again when no reply came: the server may have opened the message meanwhile, which burns after reading,
  /// and says so once more to who asks.
  ///
  /// - Parameter refusal: what the server says to the same again when there is no use in sending it.
  /// - Returns: nil when that was said.
  private static func sent(
    unless refusal: ClientError.Code, _ send: () async throws -> PerformanceStepResponse
  ) async throws -> PerformanceStepResponse? {
    var tries = 0
    while true {
      do {
        return try await send()
      } catch let error as ClientError {
        guard tries == 0 || error.code != refusal else { return nil }
        // In flight is what came the first time, whose reply nobody hears any more.
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
