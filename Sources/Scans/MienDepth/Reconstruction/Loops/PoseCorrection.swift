/// How a scan's cameras were moved while its surface was made: for pictures that the same device took on the way.
public struct PoseCorrection: Sendable {
  private let pairs: [(given: CameraPose, found: CameraPose)]

  init(_ pairs: [(given: CameraPose, found: CameraPose)]) { self.pairs = pairs }

  /// A pose as the device gave it, moved as the frame was that it is nearest to; itself when no frame had a pose.
  public func corrected(_ pose: CameraPose) -> CameraPose {
    let near = pairs.min { apart($0.given, pose) < apart($1.given, pose) }
    return near.flatMap { RigidMotion(from: $0.given, to: $0.found).moved(pose) } ?? pose
  }

  /// A turn of a radian is as far as a metre.
  private func apart(_ a: CameraPose, _ b: CameraPose) -> Float { a.distance(to: b) + a.turn(to: b) }
}

extension Reconstructor {
  /// How the frames' poses differ from those that the device gave.
  public var correction: PoseCorrection {
    PoseCorrection(
      zip(givenPoses, poses).compactMap { given, found in given.flatMap { given in found.map { (given, $0) } } })
  }
}
