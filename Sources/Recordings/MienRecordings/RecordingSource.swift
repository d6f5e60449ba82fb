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
