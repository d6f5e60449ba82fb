internal import MienCore

/// JSON of MediaPipe's `FaceLandmarkerResult`; `Documentation/reference/formats/MediaPipeFaceLandmarker.md` lists the supported
/// variants.
public enum MediaPipeFaceLandmarker {
  /// The members of a result, in the JavaScript and Python spellings.
  enum Member {
    case landmarks, coefficients, transforms, timestamp, result

    init?(_ key: InlineString32) {
      switch key {
      case Names.faceLandmarks, Names.face_landmarks: self = .landmarks
      case Names.faceBlendshapes, Names.face_blendshapes: self = .coefficients
      case Names.transforms, Names.transforms_: self = .transforms
      case Names.timestampMs, Names.timestamp_ms: self = .timestamp
      case Names.result: self = .result
      default: return nil
      }
    }
  }

  enum Names {
    static let faceLandmarks = InlineString32("faceLandmarks")
    static let face_landmarks = InlineString32("face_landmarks")
    static let faceBlendshapes = InlineString32("faceBlendshapes")
    static let face_blendshapes = InlineString32("face_blendshapes")
    static let transforms = InlineString32("facialTransformationMatrixes")
    static let transforms_ = InlineString32("facial_transformation_matrixes")
    static let timestampMs = InlineString32("timestampMs")
    static let timestamp_ms = InlineString32("timestamp_ms")
    static let result = InlineString32("result")
    static let categories = InlineString32("categories")
    static let categoryName = InlineString32("categoryName")
    static let category_name = InlineString32("category_name")
    static let score = InlineString32("score")
    static let neutral = InlineString32("_neutral")
    static let data = InlineString32("data")
    static let x = InlineString32("x")
    static let y = InlineString32("y")

    /// Keys that occur only in such a result.
    static let all: Set<InlineString32> = [
      faceLandmarks, face_landmarks, faceBlendshapes, face_blendshapes, transforms, transforms_, timestampMs,
      timestamp_ms, result,
    ]
  }
}

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
          .inconsistent, line: index + 1, unit: .observation, byte: 0, "more than one face was detected; one was used")
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
