import MienClient
import MienModel
import MienRecordings
import MienWire

/// Performs before a server in real time: what it sends, a camera could have seen just then.
struct Performer {
  let line: PerformanceLine
  /// What the server said last; nil before anything was sent.
  private(set) var last: PerformanceStepReply?
  private let clock = ContinuousClock()
  private let began: ContinuousClock.Instant

  private static let open: Set<String> = ["performing", "calibrating"]
  /// About as much of a recording as goes into one request.
  private static let portion = Interval.milliseconds(250)

  init(line: PerformanceLine) {
    self.line = line
    began = clock.now
  }

  private var isOver: Bool { last.map { !Self.open.contains($0.state) } ?? false }

  /// Sends observations, several in one request, each when its time has come.
  mutating func perform(_ observations: [ClaimedObservation]) async throws {
    var rest = observations[...]
    while let first = rest.first, !isOver {
      let part = rest.prefix { $0.at.since(first.at) < Self.portion }
      rest = rest.dropFirst(part.count)
      guard let end = part.last else { return }
      try await wait(until: end.at)
      var writer = ObservationLinesWriter(header: nil)
      for observation in part { try writer.append(observation) }
      last = try await line.send(observationLines: writer.bytes)
    }
  }

  /// Sends frames of a video. While the server looks at one, a camera would have gone on: frames that are late are left out.
  mutating func perform(_ video: VideoFrames) async throws {
    var start: Instant?
    do {
      try await video.forEach { frame, index, count in
        let since = frame.at.since(start ?? frame.at)
        start = start ?? frame.at
        guard index == 0 || index == count - 1 || since >= elapsed else { return }
        try await wait(until: .zero + since)
        last = try await line.send(frame: frame.bytes, capturedAt: since)
        if isOver { throw Finished() }
      }
    } catch is Finished {
      return
    }
  }

  /// The rest of the video is not needed.
  private struct Finished: Error {}

  private var elapsed: Interval { Interval(nanoseconds: Int64((clock.now - began) / .nanoseconds(1))) }

  private func wait(until time: Instant) async throws {
    let rest = time.since(.zero).nanoseconds - elapsed.nanoseconds
    if rest > 0 { try await Task.sleep(for: .nanoseconds(rest)) }
  }
}
