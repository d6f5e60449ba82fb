public import MienCore

/// A recorded stream of observations, oldest first.
public struct Recording: Hashable, Sendable {
  public var source: RecordingSource
  /// Frames per second, if the source specifies it or it can be inferred from the file.
  public var frameRate: Double?
  /// Observations in file order; ascending by time unless ``ParserLimits/order-swift.property`` permits another order.
  public var observations: [ClientObservation]

  public init(source: RecordingSource, frameRate: Double?, observations: [ClientObservation]) {
    self.source = source
    self.frameRate = frameRate
    self.observations = observations
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
      throw RecordingError(.wrongFormat, line: 1, byte: 0, "not a format of recordings that is known here")
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
