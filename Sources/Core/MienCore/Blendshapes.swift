/// 52 face coefficients, nominally 0…1 (ARKit recordings contain values slightly above 1), without heap storage.
///
/// A coefficient that the source does not provide is not zero: ``has(_:)`` reports which ones were measured.
public struct Blendshapes: Hashable, Sendable {
  /// Number of coefficients.
  public static let count = 52

  /// Lanes 0…51 are the coefficients in the order of ``BlendshapeName``; the rest are zero.
  @usableFromInline var lanes = SIMD64<Float>(repeating: 0)
  /// Bit i is set if coefficient i was measured.
  @usableFromInline var measured: UInt64 = 0

  /// Creates a set without any measured coefficient.
  public init() {}

  /// The coefficient; `nil` if the source did not measure it.
  public subscript(name: BlendshapeName) -> Float? {
    // Inlined, so that reading one coefficient does not copy all of them.
    @inlinable get { has(name) ? lanes[name.rawValue] : nil }
    set {
      lanes[name.rawValue] = newValue ?? 0.0
      if newValue == nil { measured &= ~(1 << UInt64(name.rawValue)) } else { measured |= 1 << UInt64(name.rawValue) }
    }
  }

  /// Reports whether the source measured this coefficient.
  @inlinable public func has(_ name: BlendshapeName) -> Bool { measured & (1 << UInt64(name.rawValue)) != 0 }

  /// Number of measured coefficients.
  public var measuredCount: Int { measured.nonzeroBitCount }

  /// `true` if every measured coefficient is finite and within −0.5…1.5, the widest range that real sources produce.
  public var isPlausible: Bool {
    (0..<Self.count).allSatisfy { lanes[$0] >= -0.5 && lanes[$0] <= 1.5 }
  }
}

extension Blendshapes: CustomStringConvertible, CustomReflectable {
  public var description: String { "Blendshapes(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

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
