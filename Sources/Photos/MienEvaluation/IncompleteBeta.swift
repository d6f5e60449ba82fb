internal import RealModule

/// The regularized incomplete beta function, for exact confidence intervals of rates.
enum IncompleteBeta {
  /// Returns I_x(a, b) for positive a and b and x in 0…1, by Lentz's continued fraction (Numerical Recipes, 6.4);
  /// relative error about 1e-12.
  static func value(_ x: Double, a: Double, b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let scale = Double.logGamma(a + b) - Double.logGamma(a) - Double.logGamma(b)
    let front = Double.exp(scale + a * Double.log(x) + b * Double.log(onePlus: -x))
    // The fraction converges fast on this side of the mean.
    return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b
  }

  /// Returns the x at which I_x(a, b) equals `share`, by bisection.
  static func inverse(_ share: Double, a: Double, b: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if value(middle, a: a, b: b) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1), tiny)
    var result = d
    for step in 1...500 {
      let m = Double(step)
      for term in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 / nonzero(1 + term * d, tiny)
        c = nonzero(1 + term / c, tiny)
        result *= d * c
      }
      if abs(d * c - 1) < 1e-15 { break }
    }
    return result
  }

  private static func nonzero(_ value: Double, _ tiny: Double) -> Double { abs(value) < tiny ? tiny : value }
}
