public import MienImaging

extension CameraPose {
  /// How a picture of this camera has to be turned to stand upright, by the world's up; nil when that is not known, or the
  /// camera looks up or down so steeply that there is no telling.
  public func orientation(in world: WorldAlignment) -> Orientation? {
    let (x, y): (Float, Float)
    switch world {
    case .yUp: (x, y) = (right.y, up.y)
    case .zUp: (x, y) = (right.z, up.z)
    case .unlevelled: return nil
    }
    guard max(abs(x), abs(y)) > 0.5 else { return nil }
    if abs(y) >= abs(x) { return y > 0 ? .upright : .upsideDown }
    return x > 0 ? .quarterLeft : .quarterRight
  }
}
