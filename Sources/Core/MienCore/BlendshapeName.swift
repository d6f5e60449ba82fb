/// The 52 face coefficients by their ARKit names (`ARFaceAnchor.BlendShapeLocation`); sides are the subject's own.
///
/// The order is MediaPipe's without its leading `_neutral`, with `tongueOut` last: MediaPipe has no `tongueOut` and
/// ARKit has no `_neutral`, so the two sources share the first 51.
public enum BlendshapeName: Int, Hashable, Sendable, CaseIterable {
  case browDownLeft
  case browDownRight
  case browInnerUp
  case browOuterUpLeft
  case browOuterUpRight
  case cheekPuff
  case cheekSquintLeft
  case cheekSquintRight
  case eyeBlinkLeft
  case eyeBlinkRight
  case eyeLookDownLeft
  case eyeLookDownRight
  case eyeLookInLeft
  case eyeLookInRight
  case eyeLookOutLeft
  case eyeLookOutRight
  case eyeLookUpLeft
  case eyeLookUpRight
  case eyeSquintLeft
  case eyeSquintRight
  case eyeWideLeft
  case eyeWideRight
  case jawForward
  case jawLeft
  case jawOpen
  case jawRight
  case mouthClose
  case mouthDimpleLeft
  case mouthDimpleRight
  case mouthFrownLeft
  case mouthFrownRight
  case mouthFunnel
  case mouthLeft
  case mouthLowerDownLeft
  case mouthLowerDownRight
  case mouthPressLeft
  case mouthPressRight
  case mouthPucker
  case mouthRight
  case mouthRollLower
  case mouthRollUpper
  case mouthShrugLower
  case mouthShrugUpper
  case mouthSmileLeft
  case mouthSmileRight
  case mouthStretchLeft
  case mouthStretchRight
  case mouthUpperUpLeft
  case mouthUpperUpRight
  case noseSneerLeft
  case noseSneerRight
  case tongueOut

  /// The ARKit spelling of the name, for example `jawOpen`.
  public var text: String { "\(self)" }

  /// Creates the name with this ARKit spelling; `nil` if there is none.
  public init?(text: some StringProtocol) {
    guard let name = Self.byText[String(text)] else { return nil }
    self = name
  }

  private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.text, $0) })
}
