public import MienCodecs
public import MienInference

/// The reason why a frame could not be processed.
public enum TrackingFailure: Error, Hashable, Sendable {
  case image(ImageCodecError)
  case inference(InferenceError)
  /// All trackers are busy and the associated number of frames is already waiting.
  case busy(waiting: Int)
}
