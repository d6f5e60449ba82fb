internal import MienCore

/// Measures of a face that a task requires, in addition to the yaw, which every face has.
struct FaceMeasures: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let pitch = FaceMeasures(rawValue: 1)
  static let roll = FaceMeasures(rawValue: 2)
  static let eyes = FaceMeasures(rawValue: 4)
  static let jaw = FaceMeasures(rawValue: 8)

  func areIn(_ face: TaskSample.Face) -> Bool {
    (!contains(.pitch) || face.pitch != nil) && (!contains(.roll) || face.roll != nil)
      && (!contains(.eyes) || (face.eyeBlinkLeft != nil && face.eyeBlinkRight != nil))
      && (!contains(.jaw) || face.jawOpen != nil)
  }
}
