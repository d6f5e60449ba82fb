import MienClient
import MienCore

/// A camera that gives the frames of a list, one each time it is asked; then it ends, or gives nothing any more.
actor ScriptedCamera: FrameSource {
  struct Broken: Error {}

  enum End { case ends, breaks, hangs }

  private var frames: [EncodedFrame]
  private let end: End
  private(set) var given = 0
  private(set) var closed = 0

  /// - Parameter times: of the frames, in milliseconds on the camera's own clock.
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
        // Until the task is cancelled, as a camera that is frozen.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        return nil
      }
    }
    given += 1
    return frames.removeFirst()
  }

  func close() { closed += 1 }
}

/// A clock that stands, and passes over what it is asked to sleep; it keeps how long that was.
actor StandingClock: ClientClock {
  private(set) var slept: [Interval] = []
  private let sleepsAtOnce: @Sendable (Interval) -> Bool

  /// - Parameter sleepsAtOnce: sleeps for which it says no last until the task is cancelled.
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
