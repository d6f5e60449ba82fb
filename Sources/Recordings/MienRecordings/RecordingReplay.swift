public import MienCore

extension Recording {
  /// Returns the observations with their original spacing, shifted so that the first is at `start`.
  ///
  /// Does not wait between observations: the caller controls the pace.
  public func replay(startingAt start: MonotonicInstant = .zero) -> Replay {
    Replay(base: observations, offset: observations.first.map { start.since($0.at) } ?? .zero)
  }

  /// Returns the observations resampled to another frame rate, the first at `start`.
  ///
  /// Each tick has the latest observation not after it: nothing is interpolated, so every value was measured. Empty if
  /// `frameRate` is not within 0.1…1000.
  public func resampled(to frameRate: Double, startingAt start: MonotonicInstant = .zero) -> Resampled {
    Resampled(base: Array(replay(startingAt: start)), start: start, frameRate: frameRate)
  }

  /// The observations of a recording, shifted in time.
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

  /// The observations of a recording at equal intervals.
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
