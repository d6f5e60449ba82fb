extension Orientation {
  /// Maps a point of the upright image to the stored image; both as fractions of width and height.
  public func beforeTurning(x: Float, y: Float) -> (x: Float, y: Float) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (1 - x, y)
    case .upsideDown: (1 - x, 1 - y)
    case .mirroredUpsideDown: (x, 1 - y)
    case .mirroredQuarterLeft: (y, x)
    case .quarterRight: (y, 1 - x)
    case .mirroredQuarterRight: (1 - y, 1 - x)
    case .quarterLeft: (1 - y, x)
    }
  }
}
