public import MienCore

/// What a person's neutral face measures: coefficients at rest differ between people and sources.
///
/// What lies above the baseline is stretched to the rest of the range: (value − base) / (1 − base).
public struct ExpressionBaseline: Hashable, Sendable {
  /// The highest base of a coefficient that is taken off; beyond it little range is left.
  static let highest: Float = 0.6

  private let base: SIMD16<Float>
  private let stretch: SIMD16<Float>

  /// The baseline of nobody: nothing is taken off.
  public static let zero = ExpressionBaseline(SIMD16(repeating: 0))

  /// The means of a neutral face; NaN where nothing was measured, which takes nothing off.
  init(_ means: SIMD16<Float>) {
    let measured = SIMD16<Float>(repeating: 0).replacing(with: means, where: means .> 0)
    self.init(base: pointwiseMin(measured, SIMD16(repeating: Self.highest)))
  }

  private init(base: SIMD16<Float>) {
    self.base = base
    stretch = 1 / (1 - base)
  }

  /// The same look, as far as it differs from neutral.
  func applied(to look: ExpressionCoefficients) -> ExpressionCoefficients {
    ExpressionCoefficients(lanes: (look.lanes - base) * stretch)
  }
}

extension ExpressionBaseline: BinaryStateValue {
  public static var blank: ExpressionBaseline { .zero }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var base = self.base
    coder.pass(&base)
    coder.require(all((base .>= 0) .& (base .<= Self.highest)))
    if coder.isReading, coder.isSound { self = ExpressionBaseline(base: base) }
  }
}

extension ExpressionBaseline: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionBaseline(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
