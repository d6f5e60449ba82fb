public import MienCore

/// The reason why a face in an image is not compared. "Not assessed" is never expressed as a number.
public enum FaceImageProblem: String, Hashable, Sendable, CaseIterable {
  case noFace = "no-face"
  case severalFaces = "several-faces"
  /// The eyes are too close together in pixels.
  case tooSmall = "face-too-small"
  /// The face is turned or tilted too far.
  case turned = "face-turned"
  case blurred = "face-blurred"
  /// The face is cut off by the edge of the image, or something covers most of it.
  case covered = "face-covered"
  case tooDark = "face-too-dark"
  case tooBright = "face-too-bright"
}

/// Decides whether a face can be compared with others.
public struct FaceQualityGate: Hashable, Sendable {
  /// Minimum distance between the irises in pixels. The model was trained on 35.
  public var eyeDistance: Float = 20
  /// Maximum yaw in degrees, in either direction.
  public var yaw: Float = 35
  /// Maximum pitch in degrees, in either direction.
  public var pitch: Float = 30
  /// Minimum sharpness of the face region (mean absolute Laplacian, 0…1020).
  public var sharpness: Float = 1.5
  /// Minimum confidence that there is a face, 0…1: covered faces and drawings have less.
  public var presence = 0.8
  /// Mean luma of the face region, 0…255.
  public var darkest: Float = 25
  public var brightest: Float = 245

  public init() {}

  /// Returns the most important reason why the face is not compared; `nil` if it can be.
  public func problem(of observation: FaceObservation, mayHaveOthers: Bool = false) -> FaceImageProblem? {
    guard let face = observation.face else { return .noFace }
    if !mayHaveOthers, observation.faceCount > 1 { return .severalFaces }
    guard let aligned = observation.aligned, aligned.eyeDistance >= eyeDistance else {
      // The irises of a profile are close together, too.
      return abs(face.pose.yaw) > yaw ? .turned : .tooSmall
    }
    guard abs(face.pose.yaw) <= yaw, abs(face.pose.pitch) <= pitch else { return .turned }
    let box = face.box
    let inside =
      max(0, min(box.x + box.width, 1) - max(box.x, 0)) * max(0, min(box.y + box.height, 1) - max(box.y, 0))
    guard inside >= 0.85 * box.width * box.height, face.presence.value >= presence else { return .covered }
    if observation.brightness < darkest { return .tooDark }
    if observation.brightness > brightest { return .tooBright }
    guard let sharp = observation.sharpness, sharp >= sharpness else { return .blurred }
    return nil
  }
}
