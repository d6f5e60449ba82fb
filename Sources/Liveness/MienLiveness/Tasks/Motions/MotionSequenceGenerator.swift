internal import MienCore
internal import RealModule

/// Generates random sequences of motions under limits; every admissible sequence is equally likely.
struct MotionSequenceGenerator {
  /// Maximum count of each motion; a motion that is not listed is not requested.
  private let most: [Int]

  init(most: [Motion: Int]) {
    self.most = Motion.allCases.map { most[$0] ?? .zero }
  }

  /// Returns the number of sequences of `count` motions within the limits `left`: a sum over the multinomial coefficients.
  private func ways(_ count: Int, _ left: ArraySlice<Int>) -> Double {
    guard let first = left.first else { return count == 0 ? 1 : 0 }
    guard count >= 0 else { return 0 }
    var sum = 0.0
    var choose = 1.0
    for used in 0...min(first, count) {
      // choose = binomial coefficient of count and used.
      if used > 0 { choose *= Double(count - used + 1) / Double(used) }
      sum += choose * ways(count - used, left.dropFirst())
    }
    return sum
  }

  /// Returns log₂ of the number of sequences; −∞ if there is none.
  func bits(_ count: Int) -> Double { Double.log2(ways(count, most[...])) }

  /// Returns a random sequence of `count` motions, or `nil` if none satisfies the limits.
  func draw(_ count: Int, using generator: inout some RandomNumberGenerator) -> [Motion]? {
    guard ways(count, most[...]) > 0 else { return nil }
    var left = most
    var drawn: [Motion] = []
    while drawn.count < count {
      let rest = count - drawn.count - 1
      var weights: [Double] = []
      for index in left.indices {
        guard left[index] > 0 else {
          weights.append(0)
          continue
        }
        left[index] -= 1
        weights.append(ways(rest, left[...]))
        left[index] += 1
      }
      var target = Double.random(in: 0..<weights.reduce(0, +), using: &generator)
      var chosen = 0
      for index in weights.indices where weights[index] > 0 {
        chosen = index
        if target < weights[index] { break }
        target -= weights[index]
      }
      left[chosen] -= 1
      drawn.append(Motion.allCases[chosen])
    }
    return drawn
  }
}
