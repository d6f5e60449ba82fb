internal import MienCore

/// Evaluated sample as input of the trackers.
struct TrackerSample: Sendable {
  let at: MonotonicInstant
  /// Yaw, pitch, and roll in degrees from the rest pose; NaN if the source does not measure the angle and the task does not need it.
  let pose: SIMD3<Float>
  /// Closure of the eyes and opening of the jaw, 0…1; NaN if not measured.
  let eyes: SIMD2<Float>
  let jaw: Float
  /// Colors of the face; `nil` if not measured.
  var light: FaceLight?
}

/// Result of a tracker for one sample.
enum TrackerUpdate: Hashable, Sendable {
  case going
  case done
  case failed(TaskFailure)
  /// The task cannot be assessed.
  case unavailable(UnavailableReason)
}

/// Measures of a face that a task requires, in addition to the yaw, which every face has.
struct FaceMeasures: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let pitch = FaceMeasures(rawValue: 1)
  static let roll = FaceMeasures(rawValue: 2)
  static let eyes = FaceMeasures(rawValue: 4)
  static let jaw = FaceMeasures(rawValue: 8)
  static let light = FaceMeasures(rawValue: 16)

  func areIn(_ face: TaskSample.Face) -> Bool {
    (!contains(.pitch) || face.pitch != nil) && (!contains(.roll) || face.roll != nil)
      && (!contains(.eyes) || (face.eyeBlinkLeft != nil && face.eyeBlinkRight != nil))
      && (!contains(.jaw) || face.jawOpen != nil) && (!contains(.light) || face.light != nil)
  }
}
