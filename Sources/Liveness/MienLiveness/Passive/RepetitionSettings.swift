/// When stretches of a session count as shown before. A value of this type is always sensible.
public struct RepetitionSettings: Hashable, Sendable {
  /// How many frames back are compared. 32…1024; every frame costs time in proportion.
  public let memory: Int
  /// How far two frames of the same showing may differ in any part of the signature, in eye distances. 0.0005…0.1.
  public let tolerance: Float
  /// Movement, in eye distances, that a repeated stretch must hold: a face at rest looks like itself. 0.05…10.
  public let minimumTravel: Float
  /// Frames in a row, repeated forwards, from which they are suspect. 4…200.
  public let longestStretch: Int
  /// The same for frames that come back in reverse: a nod is a mirror of itself near its turning point. 4…200.
  public let longestMirroredStretch: Int
  /// Fewer frames with a face are not assessed. 10…1000.
  public let minimumFrames: Int

  /// Refuses (nil) values outside the ranges that the properties document.
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
