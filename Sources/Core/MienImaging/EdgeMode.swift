/// What a sampler sees outside the picture.
public enum EdgeMode: Hashable, Sendable {
  /// The nearest pixel of the picture's edge.
  case replicate
  /// Black.
  case zero
}
