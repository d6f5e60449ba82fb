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
