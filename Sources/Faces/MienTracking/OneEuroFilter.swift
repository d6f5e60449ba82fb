/// A one-euro filter over several values at once (Casiez, Roussel, Vogel: "1€ Filter", CHI 2012).
struct OneEuroFilter<Values: SIMD & Sendable>: Hashable, Sendable where Values.Scalar == Float {
  private(set) var values: Values
  private var speeds = Values(repeating: 0)

  /// Creates a filter with initial measured values.
  init(_ values: Values) {
    self.values = values
  }

  /// Updates the filter with the values of the next frame, `step` seconds later (greater than 0).
  mutating func update(_ measured: Values, step: Float, _ strength: OneEuroSettings.Strength, speedCutoff: Float) {
    let speedShare = Self.share(cutoff: speedCutoff, step: step)
    for lane in 0..<Values.scalarCount {
      speeds[lane] += speedShare * ((measured[lane] - values[lane]) / step - speeds[lane])
      let cutoff = strength.minimum + strength.slope * abs(speeds[lane])
      values[lane] += Self.share(cutoff: cutoff, step: step) * (measured[lane] - values[lane])
    }
  }

  /// Returns the weight of a new value: 1 / (1 + τ / step) with τ = 1 / (2π cutoff).
  private static func share(cutoff: Float, step: Float) -> Float {
    1 / (1 + 1 / (2 * .pi * cutoff * step))
  }
}
