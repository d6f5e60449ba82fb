/// Expected frequency of each symbol in each context, in 1/256, as used by the entropy coder and the stream.
///
/// A table is transmitted as one index into ``levels`` per symbol; encoder and decoder scale the levels to a sum of 256
/// in the same way.
struct FrequencyTables: Sendable {
  static let total = 256
  static let totalBits: UInt32 = 8

  let contexts: Int
  let symbols: Int
  /// `contexts * symbols` frequencies; those of a used context sum to 256, those of an unused one are all zero.
  private(set) var frequencies: ContiguousArray<UInt16>

  /// Approximately equal logarithmic steps, so that a frequency is off by at most a quarter.
  private static let levels: [Int] = [0, 1, 2, 3, 5, 8, 13, 20, 32, 51, 82, 131, 210, 336, 537, 860]
  /// Index of the level nearest to each share of 256, by ratio.
  private static let levelOfShare: ContiguousArray<UInt8> = ContiguousArray(
    (0...total).map { share in
      UInt8(levels.indices.dropFirst().filter { $0 == 1 || levels[$0] * levels[$0 - 1] <= share * share }.count)
    })

  init(contexts: Int, symbols: Int) {
    self.contexts = contexts
    self.symbols = symbols
    frequencies = ContiguousArray(repeating: 0, count: contexts * symbols)
  }

  /// Scales levels so that they sum to 256, with at least 1 for each nonzero level; the largest receives the remainder.
  private static func scale(_ leveled: borrowing Span<UInt8>, into fresh: inout ContiguousArray<UInt16>) {
    var sum = 0
    for symbol in 0..<leveled.count { sum += levels[Int(leveled[symbol])] }
    var left = total
    var largest = 0
    for symbol in 0..<leveled.count {
      let level = levels[Int(leveled[symbol])]
      let share = level == 0 ? 0 : max(1, level * total / sum)
      fresh[symbol] = UInt16(share)
      left -= share
      if fresh[symbol] > fresh[largest] { largest = symbol }
    }
    while left < 0 {
      // Too many ones: reduces the largest frequency by one at a time.
      for symbol in 0..<leveled.count where fresh[symbol] > fresh[largest] { largest = symbol }
      fresh[largest] -= 1
      left += 1
    }
    fresh[largest] += UInt16(left)
  }

  private mutating func set(_ context: Int, to fresh: ContiguousArray<UInt16>) {
    for symbol in 0..<symbols { frequencies[context * symbols + symbol] = fresh[symbol] }
  }

  /// Selects per context the table with the lowest cost for these counts: the current one or a new one, which is then
  /// written to `bits`.
  mutating func adapt(to counts: borrowing Span<UInt32>, writing bits: inout BitWriter) {
    var leveled = ContiguousArray<UInt8>(repeating: 0, count: symbols)
    var fresh = ContiguousArray<UInt16>(repeating: 0, count: symbols)
    let counts = counts.extracting(0..<contexts * symbols)
    for context in 0..<contexts {
      let own = counts.extracting(context * symbols..<(context + 1) * symbols)
      var total = 0
      for symbol in 0..<symbols { total += Int(own[symbol]) }
      guard total > 0 else {
        bits.write(0, 1)
        continue
      }
      var last = 0
      for symbol in 0..<symbols {
        let count = Int(own[symbol])
        leveled[symbol] = count == 0 ? 0 : Self.levelOfShare[max(1, count * Self.total / total)]
        if count > 0 { last = symbol }
      }
      Self.scale(leveled.span, into: &fresh)
      if let old = Self.cost(of: own, with: frequencies.span.extracting(context * symbols..<(context + 1) * symbols)),
        let new = Self.cost(of: own, with: fresh.span), old <= new + (6 + 4 * (last + 1)) * 256
      {
        bits.write(0, 1)
        continue
      }
      set(context, to: fresh)
      bits.write(1, 1)
      bits.write(UInt32(last), 6)
      for symbol in 0...last { bits.write(UInt32(leveled[symbol]), 4) }
    }
  }

  /// Reads the output of ``adapt(to:writing:)``.
  ///
  /// - Returns: a bit mask of the contexts with a new table.
  mutating func read(from bits: inout BitReader) throws(DepthCodecError) -> UInt32 {
    var changed: UInt32 = 0
    var leveled = ContiguousArray<UInt8>(repeating: 0, count: symbols)
    var fresh = ContiguousArray<UInt16>(repeating: 0, count: symbols)
    for context in 0..<contexts where try bits.read(1) == 1 {
      let last = Int(try bits.read(6))
      guard last < symbols else { throw .damaged("a frequency table") }
      for symbol in 0..<symbols { leveled[symbol] = symbol <= last ? UInt8(try bits.read(4)) : 0 }
      guard leveled[last] != 0 else { throw .damaged("a frequency table") }
      Self.scale(leveled.span, into: &fresh)
      set(context, to: fresh)
      changed |= 1 << UInt32(context)
    }
    return changed
  }

  /// Returns the cost of the counts with these frequencies, in 1/256 bit; nil if a symbol that occurs has frequency 0.
  private static func cost(of counts: borrowing Span<UInt32>, with frequencies: borrowing Span<UInt16>) -> Int? {
    var sum = 0
    for symbol in 0..<counts.count where counts[symbol] > 0 {
      guard frequencies[symbol] > 0 else { return nil }
      sum += Int(counts[symbol]) * Int(costOfFrequency[Int(frequencies[symbol])])
    }
    return sum
  }

  /// −log₂(f / 256) in 1/256 bit.
  private static let costOfFrequency: ContiguousArray<UInt16> = ContiguousArray(
    (0...total).map { frequency in
      // Integer logarithm by squaring, so that no math library is needed.
      guard frequency > 0 else { return 0 }
      var value = Double(frequency)
      var bits = 0.0
      while value >= 2 {
        value /= 2
        bits += 1
      }
      var step = 0.5
      for _ in 0..<10 {
        value *= value
        if value >= 2 {
          value /= 2
          bits += step
        }
        step /= 2
      }
      return UInt16((8 - bits) * 256)
    })
}
