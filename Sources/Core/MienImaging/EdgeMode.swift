/// The values that a sampler uses outside the image.
public enum EdgeMode: Hashable, Sendable {
  /// The nearest pixel of the image's edge.
  case replicate
  /// Black.
  case zero
}
