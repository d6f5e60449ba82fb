public import MienCore
internal import RealModule

/// Color ratios of one frame of a light task.
public struct LightFrame: Hashable, Sendable {
  /// Seconds since the first color was due; negative before it.
  public var after: Float
  /// ln(blue/green) and ln(red/green) of forehead, nose, right cheek and left cheek.
  public var face: SIMD8<Float>
  /// The same of the background; NaN if there is none.
  public var background: SIMD2<Float>

  /// Creates a frame; `nil` if a part of the face was not measured.
  public init?(_ light: FaceLight, after: Float) {
    self.after = after
    face = .zero
    for (part, color) in [light.forehead, light.nose, light.rightCheek, light.leftCheek].enumerated() {
      let ratios = Self.ratios(color)
      guard ratios.x.isFinite, ratios.y.isFinite else { return nil }
      face[2 * part] = ratios.x
      face[2 * part + 1] = ratios.y
    }
    background = Self.ratios(light.background)
    if !(background.x.isFinite && background.y.isFinite) { background = SIMD2(repeating: .nan) }
  }

  private static func ratios(_ color: SIMD3<Float>) -> SIMD2<Float> {
    guard color.x > 0, color.y > 0, color.z > 0 else { return SIMD2(repeating: .nan) }
    return SIMD2(.log(color.z / color.y), .log(color.x / color.y))
  }
}

extension LightFrame: CustomStringConvertible, CustomReflectable {
  public var description: String { "LightFrame(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LightFrame: BinaryStateValue {
  private init() {
    after = 0
    face = .zero
    background = .zero
  }
  public static var blank: LightFrame { LightFrame() }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&after)
    coder.pass(&face)
    coder.pass(&background)
  }
}
