public import MienCore

/// Coefficients of one face at one instant that determine expressions, without heap storage.
///
/// A coefficient that was not measured, is outside −0.5…1.5, or is not a number is absent; it is never zero.
public struct ExpressionCoefficients: Hashable, Sendable {
  /// Indices of the coefficients.
  enum Lane {
    static let tongue = 0
    static let blinkLeft = 1
    static let blinkRight = 2
    static let pucker = 3
    /// `cheekPuff` of a phone; the tracker does not measure it.
    static let cheekPuff = 4
    static let jaw = 5
    static let browInner = 6
    static let browLeft = 7
    static let browRight = 8
    static let smileLeft = 9
    static let smileRight = 10
    static let squintLeft = 11
    static let squintRight = 12
    static let wideLeft = 13
    static let wideRight = 14
    static let lowerLipRoll = 15
  }

  /// NaN marks an absent coefficient: every ordered comparison with it is false.
  private(set) var lanes = SIMD16<Float>(repeating: .nan)

  @inline(__always) public init(_ blendshapes: Blendshapes, source: ExpressionSource) {
    @inline(__always) func value(_ name: BlendshapeName) -> Float { blendshapes[name] ?? .nan }
    var read = SIMD16<Float>(repeating: .nan)
    read[Lane.tongue] = value(.tongueOut)
    read[Lane.blinkLeft] = value(.eyeBlinkLeft)
    read[Lane.blinkRight] = value(.eyeBlinkRight)
    read[Lane.pucker] = value(.mouthPucker)
    if source == .phone { read[Lane.cheekPuff] = value(.cheekPuff) }
    read[Lane.jaw] = value(.jawOpen)
    read[Lane.browInner] = value(.browInnerUp)
    read[Lane.browLeft] = value(.browOuterUpLeft)
    read[Lane.browRight] = value(.browOuterUpRight)
    read[Lane.smileLeft] = value(.mouthSmileLeft)
    read[Lane.smileRight] = value(.mouthSmileRight)
    read[Lane.squintLeft] = value(.eyeSquintLeft)
    read[Lane.squintRight] = value(.eyeSquintRight)
    read[Lane.wideLeft] = value(.eyeWideLeft)
    read[Lane.wideRight] = value(.eyeWideRight)
    read[Lane.lowerLipRoll] = value(.mouthRollLower)
    let isPlausible = (read .>= -0.5) .& (read .<= 1.5)
    lanes = SIMD16<Float>(repeating: .nan).replacing(with: read, where: isPlausible)
  }

  init(lanes: SIMD16<Float>) { self.lanes = lanes }

  /// `true` if nothing was measured.
  var isEmpty: Bool { all(lanes .!= lanes) }

  subscript(lane: Int) -> Float { lanes[lane] }

  /// Reports whether the coefficients that determine this expression were measured.
  public func has(_ expression: FaceExpression) -> Bool {
    switch expression {
    case .tongueOut: has(Lane.tongue)
    case .winkLeft, .winkRight: has(Lane.blinkLeft) && has(Lane.blinkRight)
    case .smooch: has(Lane.pucker) || has(Lane.cheekPuff)
    case .surprise:
      has(Lane.jaw)
        && (has(Lane.browInner) || (has(Lane.browLeft) && has(Lane.browRight))
          || (has(Lane.wideLeft) && has(Lane.wideRight)))
    case .smile: has(Lane.smileLeft) && has(Lane.smileRight)
    }
  }

  private func has(_ lane: Int) -> Bool { !lanes[lane].isNaN }

  /// Larger of `mouthPucker` and `cheekPuff`, ignoring an absent one.
  var roundMouth: Float { Self.larger(lanes[Lane.pucker], lanes[Lane.cheekPuff]) }

  /// Height of the brows, inner or outer.
  var brow: Float { Self.larger(lanes[Lane.browInner], (lanes[Lane.browLeft] + lanes[Lane.browRight]) / 2) }

  /// Smaller of both `mouthSmile…`; NaN if one is absent.
  var smile: Float { Self.smaller(lanes[Lane.smileLeft], lanes[Lane.smileRight]) }

  /// Smaller of both `eyeWide…`; NaN if one is absent.
  var wideEyes: Float { Self.smaller(lanes[Lane.wideLeft], lanes[Lane.wideRight]) }

  /// Returns the smaller value, or NaN if one is absent.
  private static func smaller(_ first: Float, _ second: Float) -> Float {
    first.isNaN || second.isNaN ? .nan : Float.minimum(first, second)
  }

  /// Returns the larger value, or the other one if one is absent.
  private static func larger(_ first: Float, _ second: Float) -> Float { Float.maximum(first, second) }
}

extension ExpressionCoefficients: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionCoefficients(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
