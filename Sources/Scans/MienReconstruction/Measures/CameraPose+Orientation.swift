public import MienScanFormat

public import MienImaging

extension CameraPose {
  /// Returns the rotation that displays an image of this camera upright with respect to the world's up axis; nil if
  /// that axis is unknown or the camera points too steeply up or down.
  public func orientation(in world: WorldAlignment) -> Orientation? {
    let (x, y): (Float, Float)
    switch world {
    case .yUp: (x, y) = (right.y, up.y)
    case .zUp: (x, y) = (right.z, up.z)
    case .unleveled: return nil
    }
    guard max(abs(x), abs(y)) > 0.5 else { return nil }
    if abs(y) >= abs(x) { return y > 0 ? .upright : .upsideDown }
    return x > 0 ? .quarterLeft : .quarterRight
  }
}
