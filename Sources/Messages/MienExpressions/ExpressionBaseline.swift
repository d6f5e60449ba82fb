public import MienCore

/// Coefficients of a subject's face at rest, followed from the first observation on.
///
/// Coefficients at rest differ between people and sources: full lips rest at `mouthPucker` 0.8, for example, and many neutral faces have
/// half a smile. The baseline begins with the mean of the first 0.18 s, within limits that leave room for an expression, and
/// then follows the face: quickly to lower values, so that a face that begins with an expression is at rest as soon as it relaxes; slowly to higher ones,
/// and not while an expression is seen. `mouthPucker` follows slowly in both directions, since it is near zero in passing whenever the
/// head moves or the mouth smiles.
///
/// Relative values are stretched to the remaining range: (value − base) / (1 − base).
public struct ExpressionBaseline: Hashable, Sendable {
  private typealias Lane = ExpressionCoefficients.Lane

  /// Time constants in seconds.
  private static let falling: Float = 0.25
  private static let rising: Float = 6
  private static let puckerFollowing: Float = 10
  /// Length of the first mean in seconds.
  private static let firstMean: Float = 0.18

  /// Maximum baselines: beyond them, too little range would remain for an expression.
  private static let highest: SIMD16<Float> = {
    var limits = SIMD16<Float>(repeating: 0.6)
    limits[Lane.tongue] = 0.3
    limits[Lane.blinkLeft] = 0.8
    limits[Lane.blinkRight] = 0.8
    limits[Lane.pucker] = 0.9
    limits[Lane.jaw] = 0.2
    limits[Lane.squintLeft] = 0.8
    limits[Lane.squintRight] = 0.8
    limits[Lane.wideLeft] = 0.4
    limits[Lane.wideRight] = 0.4
    return limits
  }()

  /// Value of a coefficient that was not measured yet; measured ones are at least −0.5.
  private static let unmeasured: Float = -1

  private var base = SIMD16<Float>(repeating: unmeasured)
  /// Time for which a face was observed, in seconds, up to ``firstMean``.
  private var observed: Float = 0

  init() {}

  /// `true` once the face has been observed long enough to know how it rests.
  var isKnown: Bool { observed >= Self.firstMean }

  /// Follows the face.
  ///
  /// - Parameters:
  ///   - elapsed: time since the last observation with a face, in seconds.
  ///   - isAtRest: `false` while an expression is seen or the face was out of sight: then no value rises.
  mutating func follow(_ look: ExpressionCoefficients, after elapsed: Float, isAtRest: Bool) {
    let limited = pointwiseMin(look.lanes, Self.highest)
    base.replace(with: limited, where: (base .<= Self.unmeasured) .& (limited .== limited))
    guard isKnown else {
      observed = min(observed + elapsed, Self.firstMean)
      let mean = base + (elapsed > 0 ? min(elapsed / observed, 1) : 0) * (limited - base)
      return base.replace(with: mean, where: mean .== mean)
    }
    // Backward Euler steps of a first-order filter, stable for any elapsed time.
    let fall = elapsed / (Self.falling + elapsed)
    let rise = isAtRest ? elapsed / (Self.rising + elapsed) : 0
    var share = SIMD16<Float>(repeating: rise).replacing(with: fall, where: limited .< base)
    share[Lane.pucker] = isAtRest ? elapsed / (Self.puckerFollowing + elapsed) : 0
    let followed = base + share * (limited - base)
    base.replace(with: followed, where: followed .== followed)
  }

  /// Returns the coefficients relative to the face at rest.
  func applied(to look: ExpressionCoefficients) -> ExpressionCoefficients {
    let known = SIMD16<Float>(repeating: 0).replacing(with: base, where: base .> 0)
    return ExpressionCoefficients(lanes: (look.lanes - known) / (1 - known))
  }
}

extension ExpressionBaseline: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&base)
    coder.pass(&observed)
    coder.require(observed >= 0 && observed <= Self.firstMean)
    coder.require(all((base .>= Self.unmeasured) .& (base .<= Self.highest)))
  }
}

extension ExpressionBaseline: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionBaseline(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
