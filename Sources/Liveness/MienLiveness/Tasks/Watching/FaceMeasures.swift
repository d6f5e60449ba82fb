internal import MienCore

/// The measures of a face, beside the yaw that every face has, that a task is judged on.
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
