public import MienCore

/// Response to `POST /v1/faces`.
public struct FacePreviewResponse: Codable, Hashable, Sendable {
  /// `no-face`, `one-face` or `several-faces`.
  public var face: String
  /// Face box as fractions of the image: left, top, width, height.
  public var box: [Float]?
  /// Yaw in degrees; + is to the subject's left.
  public var yaw: Float?
  /// Pitch in degrees; + is up.
  public var pitch: Float?
  /// Codes of ``FramingHint`` for a better image.
  public var hints: [String]

  public init(faceCount: Int, box: FaceBox?, pose: HeadPose?, hints: [FramingHint]) {
    face = faceCount == 0 ? "no-face" : faceCount == 1 ? "one-face" : "several-faces"
    self.box = box.map { [$0.x, $0.y, $0.width, $0.height].map { ($0 * 1000).rounded() / 1000 } }
    yaw = pose.map { ($0.yaw * 10).rounded() / 10 }
    pitch = pose.map { ($0.pitch * 10).rounded() / 10 }
    self.hints = hints.map(\.rawValue)
  }
}

extension FacePreviewResponse: CustomStringConvertible, CustomReflectable {
  public var description: String { "FacePreviewResponse(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
