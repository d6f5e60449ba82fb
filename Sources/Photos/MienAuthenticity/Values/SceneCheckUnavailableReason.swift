/// Why a check has no answer. "Could not look" is never a number.
public enum SceneCheckUnavailableReason: String, Codable, Hashable, Sendable, CaseIterable {
  /// The picture is too small for what the check measures: a side of it in pixels, or its breadth against its length.
  case imageTooSmall = "picture-too-small"
  /// There is nothing to measure in: black, white or without structure.
  case nothingToMeasure = "nothing-to-measure"
  /// The picture has no colour, which the check needs.
  case noColor = "no-colour"
  /// The file is not a JPEG, or its tables tell nothing.
  case notCompressed = "not-compressed"
  /// The capture brings no depth.
  case noDepth = "no-depth"
  /// The depth map does not fit the picture.
  case depthDoesNotFit = "depth-does-not-fit"
  /// Too few depth samples are valid.
  case tooLittleValidDepth = "too-little-valid-depth"
  /// The scene is so flat that a genuine one could not be told from a picture of one.
  case sceneIsFlat = "scene-is-flat"
  /// The capture brings no burst, or too few frames.
  case tooFewFrames = "too-few-frames"
  /// The camera did not move enough.
  case cameraDidNotMove = "camera-did-not-move"
  /// The check was not asked for.
  case notAsked = "not-asked"
  /// The check took longer than it may.
  case tooSlow = "too-slow"
  /// The picture or depth map could not be read.
  case unreadable
}
