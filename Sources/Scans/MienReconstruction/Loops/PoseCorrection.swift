public import MienScanFormat

/// Correction of camera poses found during reconstruction, for images taken by the same device during the scan.
public struct PoseCorrection: Sendable {
  private let pairs: [(given: CameraPose, found: CameraPose)]

  init(_ pairs: [(given: CameraPose, found: CameraPose)]) { self.pairs = pairs }

  /// Returns a device pose with the correction of the nearest frame applied, or unchanged if no frame had a pose.
  public func corrected(_ pose: CameraPose) -> CameraPose {
    let near = pairs.min { apart($0.given, pose) < apart($1.given, pose) }
    return near.flatMap { RigidMotion(from: $0.given, to: $0.found).moved(pose) } ?? pose
  }

  /// Distance between poses; a rotation of one radian counts as one meter.
  private func apart(_ a: CameraPose, _ b: CameraPose) -> Float { a.distance(to: b) + a.turn(to: b) }
}

extension Reconstructor {
  /// Difference between the frames' poses and those provided by the device.
  public var correction: PoseCorrection {
    PoseCorrection(
      zip(givenPoses, poses).compactMap { given, found in given.flatMap { given in found.map { (given, $0) } } })
  }
}
