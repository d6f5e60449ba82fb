/// Condition of a check's frames that the subject can change before trying again.
///
/// The codes are those of the feedback of Amazon Rekognition Face Liveness in lower case.
public enum CaptureCondition: String, Codable, Hashable, Sendable, CaseIterable {
  case faceNotVisible = "face-not-visible"
  case faceObstructionDetected = "face-obstruction-detected"
  case lowVideoQualityDetected = "low-video-quality-detected"
  case faceNotAligned = "face-not-aligned"
  case eyesClosedDetected = "eyes-closed-detected"
  case lowLightingDetected = "low-lighting-detected"
  case highLightingDetected = "high-lighting-detected"
}
