import MienEvaluation
import Testing

@Suite struct `Error rates and confidence intervals` {
  /// From R's `binom.test(errors, of)$conf.int`, and the closed forms at the ends: 1 − 0.025^(1/n).
  @Test(arguments: [
    (0, 10, 0.0, 0.308_497_1), (10, 10, 0.691_502_9, 1.0), (1, 10, 0.002_528_579, 0.445_016_1),
    (5, 10, 0.187_086_0, 0.812_914_0), (0, 1, 0.0, 0.975),
    (1, 1000, 0.000_025_3, 0.005_558_9),
  ])
  func `intervals match Clopper-Pearson`(errors: Int, of: Int, lower: Double, upper: Double) {
    let rate = ErrorRate(errors, of: of)
    #expect(abs(rate.lower - lower) < 1e-4)
    #expect(abs(rate.upper - upper) < 1e-4)
  }

  @Test func `zero samples have no rate and the widest interval`() {
    let rate = ErrorRate(0, of: 0)
    #expect(rate.value == nil)
    #expect(rate.lower == 0)
    #expect(rate.upper == 1)
  }

  @Test func `intervals for thousands of samples stay ordered`() {
    for errors in stride(from: 0, through: 20_000, by: 1000) {
      let rate = ErrorRate(errors, of: 20_000)
      let value = Double(errors) / 20_000
      #expect(rate.lower <= value && value <= rate.upper)
      #expect(rate.upper - rate.lower < 0.015)
    }
  }
}
