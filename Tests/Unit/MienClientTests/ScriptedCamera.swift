import MienClient
import MienCore

/// Camera that returns the frames of a list one by one; then it ends, fails or hangs.
actor ScriptedCamera: FrameSource {
  struct Broken: Error {}

  enum End { case ends, breaks, hangs }

  private var frames: [EncodedFrame]
  private let end: End
  private(set) var given = 0
  private(set) var closed = 0

  /// - Parameter times: timestamps of the frames in milliseconds on the camera's clock.
  init(times: [Double], then end: End = .ends) {
    frames = times.enumerated().map { index, time in
      EncodedFrame(bytes: [0xFF, 0xD8, UInt8(index % 256)], at: MonotonicInstant(nanoseconds: 0) + .milliseconds(time))
    }
    self.end = end
  }

  func next() async throws -> EncodedFrame? {
    guard !frames.isEmpty else {
      switch end {
      case .ends: return nil
      case .breaks: throw Broken()
      case .hangs:
        // Until the task is canceled, like a frozen camera.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        return nil
      }
    }
    given += 1
    return frames.removeFirst()
  }

  func close() { closed += 1 }
}

/// Clock that does not advance and skips delays; it records their durations.
actor StandingClock: ClientClock {
  private(set) var slept: [Interval] = []
  private let sleepsAtOnce: @Sendable (Interval) -> Bool

  /// - Parameter sleepsAtOnce: returns `false` for delays that last until the task is canceled.
  init(sleepsAtOnce: @escaping @Sendable (Interval) -> Bool = { $0 < .seconds(8) }) {
    self.sleepsAtOnce = sleepsAtOnce
  }

  nonisolated func now() -> MonotonicInstant { MonotonicInstant(nanoseconds: 5_000_000_000) }

  func sleep(for interval: Interval) async throws {
    guard sleepsAtOnce(interval) else {
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
    slept.append(interval)
  }
}
