/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns an approximately normal number with mean 0 and standard deviation 1: the sum of twelve uniform numbers
  /// (Irwin–Hall), bounded by ±6.
  mutating func normal() -> Float {
    (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0...1, using: &self) }
  }
}
