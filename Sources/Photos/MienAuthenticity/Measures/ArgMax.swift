/// The greatest of the offered values, with their bins.
struct ArgMax {
  private var values: [Float]
  private var bins: [Int]
  private var filled = 0

  init(count: Int) {
    values = Array(repeating: -.infinity, count: count)
    bins = Array(repeating: 0, count: count)
  }

  /// Threshold that a new value has to exceed to be stored.
  var bar: Float { values[values.count - 1] }

  mutating func offer(_ value: Float, at bin: Int) {
    guard value > bar else { return }
    var at = values.count - 1
    while at > 0, values[at - 1] < value {
      values[at] = values[at - 1]
      bins[at] = bins[at - 1]
      at -= 1
    }
    values[at] = value
    bins[at] = bin
    filled = min(filled + 1, values.count)
  }

  var sorted: [(bin: Int, value: Float)] { (0..<filled).map { (bins[$0], values[$0]) } }
  var best: (bin: Int, value: Float)? { filled > 0 ? (bins[0], values[0]) : nil }
  /// Greatest value, or 0 if none was stored (no peak).
  var first: Float { filled > 0 ? values[0] : 0 }
  var mean: Float { filled > 0 ? values[..<filled].reduce(0, +) / Float(filled) : 0 }
}
