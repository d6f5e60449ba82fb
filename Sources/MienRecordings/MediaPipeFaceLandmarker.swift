/// JSON of MediaPipe's `FaceLandmarkerResult`; `Documentation/Formats/MediaPipeFaceLandmarker.md` says which dumps.
public enum MediaPipeFaceLandmarker {
  /// The members of a result, in the web's and in Python's spelling.
  enum Member {
    case landmarks, coefficients, transforms, timestamp, result

    init?(_ key: PackedKey) {
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
    static let faceLandmarks = PackedKey("faceLandmarks")
    static let face_landmarks = PackedKey("face_landmarks")
    static let faceBlendshapes = PackedKey("faceBlendshapes")
    static let face_blendshapes = PackedKey("face_blendshapes")
    static let transforms = PackedKey("facialTransformationMatrixes")
    static let transforms_ = PackedKey("facial_transformation_matrixes")
    static let timestampMs = PackedKey("timestampMs")
    static let timestamp_ms = PackedKey("timestamp_ms")
    static let result = PackedKey("result")
    static let categories = PackedKey("categories")
    static let categoryName = PackedKey("categoryName")
    static let category_name = PackedKey("category_name")
    static let score = PackedKey("score")
    static let neutral = PackedKey("_neutral")
    static let data = PackedKey("data")
    static let x = PackedKey("x")
    static let y = PackedKey("y")

    /// Keys that only such a result has.
    static let all: Set<PackedKey> = [
      faceLandmarks, face_landmarks, faceBlendshapes, face_blendshapes, transforms, transforms_, timestampMs,
      timestamp_ms, result,
    ]
  }
}
