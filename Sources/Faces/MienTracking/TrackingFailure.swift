public import MienCodecs
public import MienInference

/// Why a frame could not be looked at.
public enum TrackingFailure: Error, Hashable, Sendable {
  case image(ImageCodecError)
  case inference(InferenceError)
  /// This many frames wait already.
  case busy(waiting: Int)
}
