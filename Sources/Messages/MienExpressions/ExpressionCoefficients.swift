public import MienCore

/// Coefficients of one face at one instant that determine expressions, without heap storage.
///
/// A coefficient that was not measured, is outside −0.5…1.5, or is not a number is absent; it is never zero.
public struct ExpressionCoefficients: Hashable, Sendable {
  /// Indices of the coefficients; the remaining lanes are empty.
  enum Lane {
    static let tongue = 0
    static let blinkLeft = 1
    static let blinkRight = 2
    static let pucker = 3
    /// `cheekPuff` of a phone, or `mouthFunnel` of the tracker.
    static let roundedness = 4
    static let jaw = 5
    static let browInner = 6
    static let browLeft = 7
    static let browRight = 8
    static let smileLeft = 9
    static let smileRight = 10
    static let count = 11
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
    read[Lane.roundedness] = value(source == .phone ? .cheekPuff : .mouthFunnel)
    read[Lane.jaw] = value(.jawOpen)
    read[Lane.browInner] = value(.browInnerUp)
    read[Lane.browLeft] = value(.browOuterUpLeft)
    read[Lane.browRight] = value(.browOuterUpRight)
    read[Lane.smileLeft] = value(.mouthSmileLeft)
    read[Lane.smileRight] = value(.mouthSmileRight)
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
    case .smooch: has(Lane.pucker) || has(Lane.roundedness)
    case .surprise: has(Lane.jaw) && (has(Lane.browInner) || (has(Lane.browLeft) && has(Lane.browRight)))
    case .smile: has(Lane.smileLeft) && has(Lane.smileRight)
    }
  }

  private func has(_ lane: Int) -> Bool { !lanes[lane].isNaN }

  /// Larger of `mouthPucker` and its companion coefficient, ignoring an absent one.
  var roundMouth: Float { Self.larger(lanes[Lane.pucker], lanes[Lane.roundedness]) }

  /// Height of the brows, inner or outer.
  var brow: Float { Self.larger(lanes[Lane.browInner], (lanes[Lane.browLeft] + lanes[Lane.browRight]) / 2) }

  /// Returns the larger value, or the other one if one is absent.
  private static func larger(_ first: Float, _ second: Float) -> Float { Float.maximum(first, second) }
}

extension ExpressionCoefficients: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionCoefficients(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
