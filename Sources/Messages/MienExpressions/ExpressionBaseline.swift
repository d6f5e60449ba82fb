public import MienCore

/// Coefficients of a subject's neutral face: coefficients at rest differ between people and sources.
///
/// Values above the baseline are stretched to the remaining range: (value − base) / (1 − base).
public struct ExpressionBaseline: Hashable, Sendable {
  /// Maximum baseline of a coefficient; beyond it too little range would remain.
  static let highest: Float = 0.6

  private let base: SIMD16<Float>
  private let stretch: SIMD16<Float>

  /// Zero baseline: nothing is subtracted.
  public static let zero = ExpressionBaseline(SIMD16(repeating: 0))

  /// Creates a baseline from the means of a neutral face; NaN if a coefficient was not measured, which subtracts nothing.
  init(_ means: SIMD16<Float>) {
    let measured = SIMD16<Float>(repeating: 0).replacing(with: means, where: means .> 0)
    self.init(base: pointwiseMin(measured, SIMD16(repeating: Self.highest)))
  }

  private init(base: SIMD16<Float>) {
    self.base = base
    stretch = 1 / (1 - base)
  }

  /// Returns the coefficients relative to the neutral face.
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
