public import MienCore

/// Direction of a head in degrees relative to its rest pose: positive yaw toward the subject's left, positive pitch up.
///
/// A client with a mirrored preview draws positive yaw toward the left of the screen.
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
