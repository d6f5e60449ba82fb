public import MienCore

extension Recording {
  /// The observations at their own distances in time, moved so that the first stands at `start`.
  ///
  /// It is pure: whoever plays it decides how long to wait between two of them, if at all.
  public func replay(startingAt start: MonotonicInstant = .zero) -> Replay {
    Replay(base: observations, offset: observations.first.map { start.since($0.at) } ?? .zero)
  }

  /// The observations as a camera with another frame rate would have seen them, the first at `start`.
  ///
  /// At each tick stands the latest observation that is not younger than the tick: nothing is interpolated, so no
  /// value occurs that was not measured. Empty when `frameRate` is not within 0.1…1000.
  public func resampled(to frameRate: Double, startingAt start: MonotonicInstant = .zero) -> Resampled {
    Resampled(base: Array(replay(startingAt: start)), start: start, frameRate: frameRate)
  }

  /// A recording's observations on another clock.
  public struct Replay: Sequence, IteratorProtocol, Sendable {
    let base: [ClientObservation]
    let offset: Interval
    private var index = 0

    init(base: [ClientObservation], offset: Interval) {
      self.base = base
      self.offset = offset
    }

    public mutating func next() -> ClientObservation? {
      guard index < base.count else { return nil }
      defer { index += 1 }
      var observation = base[index]
      observation.at = observation.at + offset
      return observation
    }
  }

  /// A recording's observations at even distances.
  public struct Resampled: Sequence, IteratorProtocol, Sendable {
    let base: [ClientObservation]
    let start: MonotonicInstant
    let frameRate: Double
    private var tick = 0
    private var index = 0

    init(base: [ClientObservation], start: MonotonicInstant, frameRate: Double) {
      self.base = (0.1...1000).contains(frameRate) ? base : []
      self.start = start
      self.frameRate = frameRate
    }

    public mutating func next() -> ClientObservation? {
      guard let last = base.last else { return nil }
      let now = start + .seconds(Double(tick) / frameRate)
      guard now <= last.at else { return nil }
      while index + 1 < base.count, base[index + 1].at <= now { index += 1 }
      tick += 1
      var observation = base[index]
      observation.at = now
      return observation
    }
  }
}
