/// What strangers ask of captures, each with a rate of its own.
public enum CaptureRateClass: Hashable, Sendable, CaseIterable {
  /// To take a capture.
  case send
  /// To look at a file.
  case verify
}
