/// Logarithm and exponential without a C library, so that the same numbers come out on every system.
enum Logarithm {
  /// ln x for normal positive x; error below 1e-6.
  static func natural(_ x: Float) -> Float {
    let value = Double(x)
    return Float(natural(value))
  }

  /// ln x for normal positive x, by atanh's series of the mantissa; error below 1e-12.
  static func natural(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return x == 0 ? -.infinity : x }
    var (mantissa, exponent) = (x.significand, Double(x.exponent))
    if mantissa > 1.414_213_562_373_095 {
      mantissa /= 2
      exponent += 1
    }
    let ratio = (mantissa - 1) / (mantissa + 1)
    let square = ratio * ratio
    var (term, sum) = (ratio, 0.0)
    for odd in stride(from: 1.0, through: 23, by: 2) {
      sum += term / odd
      term *= square
    }
    return exponent * 0.693_147_180_559_945_3 + 2 * sum
  }

  /// e to the power of x, clamped to ±700.
  static func exponential(_ x: Double) -> Double {
    let limited = min(max(x, -700), 700)
    let power = (limited / 0.693_147_180_559_945_3).rounded()
    let rest = limited - power * 0.693_147_180_559_945_3
    var (term, sum) = (1.0, 1.0)
    for step in 1...16 {
      term *= rest / Double(step)
      sum += term
    }
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  /// 1 / (1 + e^−x).
  static func logistic(_ x: Double) -> Double { 1 / (1 + exponential(-x)) }
}
