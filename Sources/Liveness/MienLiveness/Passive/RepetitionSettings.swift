/// Settings for detecting repeated sequences of frames. The initializer validates every value.
public struct RepetitionSettings: Hashable, Sendable {
  /// Number of earlier frames that each frame is compared with, 32…1024; the time per frame is proportional.
  public let memory: Int
  /// Maximum difference between two presentations of one frame in any component of the signature, in eye distances, 0.0005…0.1.
  public let tolerance: Float
  /// Minimum movement in a repeated sequence, in eye distances, 0.05…10. A face at rest always resembles itself.
  public let minimumTravel: Float
  /// Number of consecutive frames repeated forward from which they are suspect, 4…200.
  public let longestStretch: Int
  /// Number of consecutive frames repeated in reverse from which they are suspect, 4…200. A nod is symmetric near its turning point.
  public let longestMirroredStretch: Int
  /// Minimum number of frames with a face for an assessment, 10…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    memory: Int = 256, tolerance: Float = 0.02, minimumTravel: Float = 0.2, longestStretch: Int = 8,
    longestMirroredStretch: Int = 12, minimumFrames: Int = 30
  ) {
    guard (32...1024).contains(memory), (0.0005...0.1).contains(tolerance), (0.05...10).contains(minimumTravel),
      (4...200).contains(longestStretch), (4...200).contains(longestMirroredStretch),
      (10...1000).contains(minimumFrames)
    else { return nil }
    self.memory = memory
    self.tolerance = tolerance
    self.minimumTravel = minimumTravel
    self.longestStretch = longestStretch
    self.longestMirroredStretch = longestMirroredStretch
    self.minimumFrames = minimumFrames
  }
}
