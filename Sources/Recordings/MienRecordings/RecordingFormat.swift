/// The supported formats of recordings.
public enum RecordingFormat: String, Hashable, Sendable, CaseIterable {
  /// The project's JSON Lines format.
  case observationLines = "observation-lines"
  /// The CSV format of the Live Link Face app.
  case liveLinkFace = "live-link-face"
  /// JSON of MediaPipe's face landmarker results.
  case mediaPipe = "mediapipe"

  /// Returns the format that the first bytes indicate, or `nil`; the rest may still be invalid.
  public static func detect(_ bytes: ContiguousArray<UInt8>) -> RecordingFormat? {
    let text = bytes.span
    var cursor = TextPosition(line: 1)
    skipByteOrderMark(text, &cursor)
    if startsWithTimecode(text, cursor.at) { return .liveLinkFace }
    skipSpace(text, &cursor)
    if cursor.at < text.count, text[cursor.at] == UInt8(ascii: "[") { return .mediaPipe }
    var isFirst = true
    do {
      try open(UInt8(ascii: "{"), text, &cursor)
      while let key = try nextKey(text, &cursor, isFirst: &isFirst) {
        if ours.contains(key) { return .observationLines }
        if MediaPipeFaceLandmarker.Names.all.contains(key) { return .mediaPipe }
        try skipValue(text, &cursor)
      }
    } catch {
      // Not JSON up to a distinctive key: none of the supported formats.
      return nil
    }
    return nil
  }

  /// Keys that occur only in observation lines.
  private static let ours: Set<InlineString32> = [
    ObservationJSONL.Names.mien, ObservationJSONL.Names.t, ObservationJSONL.Names.blendshapes,
    ObservationJSONL.Names.pose, ObservationJSONL.Names.faces, ObservationJSONL.Names.box,
    ObservationJSONL.Names.version, ObservationJSONL.Names.source, ObservationJSONL.Names.frameRate,
  ]

  private static func startsWithTimecode(_ text: Span<UInt8>, _ start: Int) -> Bool {
    var at = start
    if at < text.count, text[at] == UInt8(ascii: "\"") { at += 1 }
    for byte in "Timecode".utf8 {
      guard at < text.count, text[at] == byte else { return false }
      at += 1
    }
    return true
  }
}

/// The origin of a recording's observations.
public enum RecordingSource: String, Hashable, Sendable, CaseIterable {
  /// Mien's own tracker.
  case mienTracker = "mien-tracker"
  /// ARKit's face anchor.
  case arkit
  /// MediaPipe's face landmarker: no `tongueOut`.
  case mediaPipe = "mediapipe"
  /// A take of the Live Link Face app.
  case liveLinkFace = "live-link-face"
  /// A device with an unspecified tracker of its own.
  case device
}
