public import MienCore

/// A recorded stream of observations, oldest first.
public struct Recording: Hashable, Sendable {
  public var source: RecordingSource
  /// Frames per second, if the source specifies it or it can be inferred from the file.
  public var frameRate: Double?
  /// Observations in file order; ascending by time unless ``ParserLimits/order-swift.property`` permits another order.
  public var observations: [ClientObservation]
  /// English messages about data that was left out.
  public var notes: [String]

  public init(
    source: RecordingSource, frameRate: Double?, observations: [ClientObservation], notes: [String] = []
  ) {
    self.source = source
    self.frameRate = frameRate
    self.observations = observations
    self.notes = notes
  }

  /// Reads a recording in a known format.
  /// - Throws: ``RecordingError`` with line and byte.
  public static func read(
    _ bytes: ContiguousArray<UInt8>, format: RecordingFormat, rules: ParserLimits = ParserLimits()
  ) throws(RecordingError) -> Recording {
    switch format {
    case .observationLines:
      var reader = ObservationLinesReader(bytes, rules: rules)
      var observations: [ClientObservation] = []
      while let observation = try reader.next() { observations.append(observation) }
      return Recording(
        source: reader.header?.source ?? .device, frameRate: reader.header?.frameRate ?? rules.frameRate,
        observations: observations)
    case .liveLinkFace: return try LiveLinkFace.read(bytes, rules: rules)
    case .mediaPipe: return try MediaPipeFaceLandmarker.read(bytes, rules: rules)
    }
  }

  /// Reads a recording, detecting its format from its first bytes.
  /// - Throws: ``RecordingError``, with the code `wrongFormat` if the format is unknown.
  public static func read(
    _ bytes: ContiguousArray<UInt8>, rules: ParserLimits = ParserLimits()
  ) throws(RecordingError) -> Recording {
    guard let format = RecordingFormat.detect(bytes) else {
      throw RecordingError(.wrongFormat, line: 1, byte: 0, "not a supported recording format")
    }
    return try read(bytes, format: format, rules: rules)
  }

  /// Writes the recording.
  ///
  /// Each format's document lists its limitations; only observation lines can represent everything.
  /// - Throws: ``RecordingError`` for an observation that a reader would reject.
  public func write(as format: RecordingFormat) throws(RecordingError) -> [UInt8] {
    switch format {
    case .observationLines:
      var writer = ObservationLinesWriter(header: ObservationJSONL.Header(source: source, frameRate: frameRate))
      for observation in observations { try writer.append(observation) }
      return writer.bytes
    case .liveLinkFace: return try LiveLinkFace.write(self)
    case .mediaPipe: return try MediaPipeFaceLandmarker.write(self)
    }
  }
}

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
