public import MienCore

/// Where a head points, in degrees away from its rest pose: x + = the subject's left, y + = up.
///
/// A client that shows a mirrored preview draws x to the left of the screen.
public struct PosePoint: Hashable, Sendable {
  public var yaw: Float
  public var pitch: Float

  public init(yaw: Float, pitch: Float) {
    self.yaw = yaw
    self.pitch = pitch
  }
}

extension PosePoint: CustomStringConvertible, CustomReflectable {
  public var description: String { "PosePoint(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PosePoint: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&yaw)
    coder.pass(&pitch)
  }
}
