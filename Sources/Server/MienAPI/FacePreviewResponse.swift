public import MienCore

/// The reply to `POST /v1/faces`.
public struct FacePreviewResponse: Codable, Hashable, Sendable {
  /// `no-face`, `one-face` or `several-faces`.
  public var face: String
  /// The face as fractions of the picture: left, top, width, height.
  public var box: [Float]?
  /// Degrees; + is to the subject's left.
  public var yaw: Float?
  /// Degrees; + is up.
  public var pitch: Float?
  /// What would make a better picture; codes.
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
  public var description: String { "FaceGlanceReply(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
