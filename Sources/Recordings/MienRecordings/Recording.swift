public import MienCore

/// A recorded stream of observations, oldest first.
public struct Recording: Hashable, Sendable {
  public var source: RecordingSource
  /// Frames a second, when the source says so or it follows from the file.
  public var frameRate: Double?
  /// In the order of the file; ascending by time unless the rules said to keep another order.
  public var observations: [ClientObservation]

  public init(source: RecordingSource, frameRate: Double?, observations: [ClientObservation]) {
    self.source = source
    self.frameRate = frameRate
    self.observations = observations
  }

  /// Reads a recording whose format is known.
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

  /// Reads a recording after finding out its format from its first bytes.
  /// - Throws: ``RecordingError``, with the code `wrongFormat` when it is none of the formats.
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
  /// Each format's document says what it cannot hold; only observation lines hold everything.
  /// - Throws: ``RecordingError`` for an observation that a reader would refuse.
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
