import MienCore

extension MediaPipeFaceLandmarker {
  /// Writes results in the JavaScript spelling, one per line, with `timestampMs`.
  ///
  /// `_neutral` comes first with the score 0, because consumers index the list; `tongueOut` and unmeasured coefficients
  /// are omitted, and so are boxes, since the format has landmarks instead. A transform has no translation. Several
  /// faces cannot be written: only the first was stored.
  /// - Throws: ``RecordingError`` for implausible observations and for more than one face.
  public static func write(_ recording: Recording) throws(RecordingError) -> [UInt8] {
    var text = ASCIIWriter()
    for (index, observation) in recording.observations.enumerated() {
      try checkWritable(observation, number: index + 1)
      if let faces = observation.faceCount, faces > 1 {
        throw RecordingError(
          .inconsistent, line: index + 1, unit: .observation, byte: 0, "more than one face was seen, one was kept")
      }
      text.append("{\"timestampMs\":")
      text.append(observation.at.nanoseconds, digits: 6)
      text.append(",\"faceBlendshapes\":[")
      if let shapes = observation.blendshapes { append(shapes, to: &text) }
      text.append("]")
      // A list without the face would mean that there is none: it is omitted.
      if observation.pose != nil || observation.blendshapes == nil {
        text.append(",\"facialTransformationMatrixes\":[")
        if let pose = observation.pose { append(RotationMatrix(pose), to: &text) }
        text.append("]")
      }
      text.append("}\n")
    }
    return text.bytes
  }

  private static func append(_ shapes: Blendshapes, to text: inout ASCIIWriter) {
    text.append("{\"categories\":[{\"index\":0,\"score\":0,\"categoryName\":\"_neutral\",\"displayName\":\"\"}")
    for name in BlendshapeName.allCases where name != .tongueOut {
      guard let value = shapes[name] else { continue }
      text.append(",{\"index\":")
      text.append(Int64(name.rawValue + 1), digits: 0)
      text.append(",\"score\":")
      text.append(value, digits: 9)
      text.append(",\"categoryName\":\"")
      text.append(name.text)
      text.append("\",\"displayName\":\"\"}")
    }
    text.append("],\"headIndex\":-1,\"headName\":\"\"}")
  }

  private static func append(_ rotation: RotationMatrix, to text: inout ASCIIWriter) {
    text.append("{\"rows\":4,\"columns\":4,\"data\":[")
    for column in 0..<3 {
      for row in 0..<3 {
        text.append(Int64((rotation.rows[row][column] * 1e9).rounded()), digits: 9)
        text.append(",")
      }
      text.append("0,")
    }
    text.append("0,0,0,1]}")
  }
}
