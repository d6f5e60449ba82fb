/// Logarithm and exponential without a C library, so that results are identical on every system.
enum Logarithm {
  /// Returns ln x for normal positive x; error below 1e-6.
  ///
  /// Uses seven terms of the series: the remainder is below 1e-11 of the sum, and twelve terms with their divisions
  /// take four times as long for the same result.
  static func natural(_ x: Float) -> Float {
    guard x > 0, x.isFinite else { return x == 0 ? -.infinity : x }
    let bits = Double(x).bitPattern
    var exponent = Double(Int(bits >> 52) - 1023)
    var mantissa = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    if mantissa > 1.414_213_562_373_095 {
      mantissa /= 2
      exponent += 1
    }
    let ratio = (mantissa - 1) / (mantissa + 1)
    let square = ratio * ratio
    var sum = 1.0 / 13
    sum = sum * square + 1.0 / 11
    sum = sum * square + 1.0 / 9
    sum = sum * square + 1.0 / 7
    sum = sum * square + 1.0 / 5
    sum = sum * square + 1.0 / 3
    sum = sum * square + 1
    return Float(exponent * 0.693_147_180_559_945_3 + 2 * ratio * sum)
  }

  /// Returns ln x for normal positive x, by the atanh series of the mantissa; error below 1e-12.
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

  /// Returns e to the power of x, with x clamped to ±700.
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

  /// Returns 1 / (1 + e^−x).
  static func logistic(_ x: Double) -> Double { 1 / (1 + exponential(-x)) }
}
