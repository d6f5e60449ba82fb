import Foundation

/// Returns the exact 95 % interval (Clopper and Pearson) of a share of `passed` in `tries`.
func exactInterval(_ passed: Int, of tries: Int) -> ClosedRange<Double> {
  func logChoose(_ k: Int) -> Double {
    lgamma(Double(tries + 1)) - lgamma(Double(k + 1)) - lgamma(Double(tries - k + 1))
  }
  /// Probability of at most `most` successes.
  func below(_ most: Int, at share: Double) -> Double {
    guard most >= 0 else { return 0 }
    return (0...most).reduce(0) { sum, k in
      sum + exp(logChoose(k) + Double(k) * log(share) + Double(tries - k) * log1p(-share))
    }
  }
  func solve(_ isTooLow: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isTooLow(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
  let lower = passed == 0 ? 0 : solve { 1 - below(passed - 1, at: $0) < 0.025 }
  let upper = passed == tries ? 1 : solve { below(passed, at: $0) > 0.025 }
  return lower...upper
}

/// Returns a share with its exact interval in percent.
func percent(_ passed: Int, of tries: Int) -> String {
  let interval = exactInterval(passed, of: tries)
  return String(
    format: "%d/%d (%.2f %% [%.2f–%.2f])", passed, tries, 100 * Double(passed) / Double(tries),
    100 * interval.lowerBound, 100 * interval.upperBound)
}

func quantile(_ share: Double, _ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
}
