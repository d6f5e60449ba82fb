/// Reason why a check was not assessed. This outcome is never represented by a number.
public enum SceneCheckUnavailableReason: String, Codable, Hashable, Sendable, CaseIterable {
  /// The image is too small for the check: one of its sides in pixels, or its width relative to its length.
  case imageTooSmall = "picture-too-small"
  /// There is nothing to measure: black, white or without structure.
  case nothingToMeasure = "nothing-to-measure"
  /// The image has no color, which the check needs.
  case noColor = "no-colour"
  /// The file is not a JPEG, or its quantization tables are not usable.
  case notCompressed = "not-compressed"
  /// The capture has no depth.
  case noDepth = "no-depth"
  /// The depth map does not match the image.
  case depthDoesNotFit = "depth-does-not-fit"
  /// Too few depth samples are valid.
  case tooLittleValidDepth = "too-little-valid-depth"
  /// The scene is so flat that a bona fide scene cannot be distinguished from an image of one.
  case sceneIsFlat = "scene-is-flat"
  /// The capture has no burst, or too few frames.
  case tooFewFrames = "too-few-frames"
  /// The camera did not move enough.
  case cameraDidNotMove = "camera-did-not-move"
  /// The check was not requested.
  case notAsked = "not-asked"
  /// The check exceeded its time limit.
  case tooSlow = "too-slow"
  /// The image or depth map could not be decoded.
  case unreadable
}
