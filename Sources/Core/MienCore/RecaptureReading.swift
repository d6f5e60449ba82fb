/// Result of looking for signs of a screen or print in one frame of a session.
public enum RecaptureReading: Hashable, Sendable {
  /// A score in log-odds; greater is more like a screen or print.
  case score(Float)
  /// The frame, or the part of it around the face, has too few pixels.
  case tooSmall
  /// The frame is compressed so strongly that its texture is lost.
  case tooCompressed
}
