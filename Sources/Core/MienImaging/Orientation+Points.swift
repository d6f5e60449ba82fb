extension Orientation {
  /// Where a point of the upright picture lies in the one before it was turned; both as fractions of width and height.
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
