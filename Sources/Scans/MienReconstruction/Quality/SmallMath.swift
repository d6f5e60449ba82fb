/// Mathematical functions for quality measures, accurate to four digits or better.
enum SmallMath {
  /// Returns e to the power of x.
  static func exp(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    guard x < 700 else { return .infinity }
    // x = k ln 2 + r with r within half of ln 2; then a Taylor series.
    let k = (x / 0.693_147_180_559_945_3).rounded()
    let r = x - k * 0.693_147_180_559_945_3
    var (sum, term) = (1.0, 1.0)
    for n in 1...12 {
      term *= r / Double(n)
      sum += term
    }
    return Double(sign: .plus, exponent: Int(k), significand: 1) * sum
  }

  /// Returns the arc cosine in degrees; x is clamped to −1…1 (Abramowitz and Stegun 4.4.45, accurate to 0.004°).
  static func arcCosine(_ x: Float) -> Float {
    let a = min(abs(x), 1)
    let angle = (1 - a).squareRoot() * (1.570_728_8 + a * (-0.212_114_4 + a * (0.074_261 - a * 0.018_729_3)))
    return (x < 0 ? .pi - angle : angle) * 180 / .pi
  }

  /// Returns sin(πt) for t from 0 to 1, by a Taylor series around the middle.
  static func sineOfHalfTurns(_ t: Double) -> Double {
    let x = (t - 0.5) * .pi
    let s = x * x
    return 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90))))
  }

  /// Returns the base-2 logarithm of a positive number.
  static func log2(_ x: Double) -> Double {
    // x = 2ᵏ m with m in 1..<2; ln m by the series of the inverse hyperbolic tangent.
    let m = x.significand
    let y = (m - 1) / (m + 1)
    let s = y * y
    let series = 2 * y * (1 + s * (1 / 3.0 + s * (1 / 5.0 + s * (1 / 7.0 + s * (1 / 9.0 + s / 11.0)))))
    return Double(x.exponent) + series / 0.693_147_180_559_945_3
  }

  /// Returns 1 / (1 + exp((middle − x) / width)).
  static func sigmoid(_ x: Double, middle: Double, width: Double) -> Double { 1 / (1 + exp((middle - x) / width)) }
}
