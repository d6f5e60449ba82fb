/// Who made the observations of a recording.
public enum RecordingSource: String, Hashable, Sendable, CaseIterable {
  /// Our own tracker.
  case mienTracker = "mien-tracker"
  /// ARKit's face anchor.
  case arkit
  /// MediaPipe's face landmarker: no `tongueOut`.
  case mediaPipe = "mediapipe"
  /// A take of the Live Link Face app.
  case liveLinkFace = "live-link-face"
  /// A device that tracks by itself and does not say with what.
  case device
}
