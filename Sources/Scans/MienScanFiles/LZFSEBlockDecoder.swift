/// Decodes an LZFSE block: literals, and triples of literal length, match length and distance, each with a finite-state
/// coder.
///
/// Bits are read backward, from the end of the data.
struct LZFSEBlockDecoder {
  /// Offset after the block.
  let end: Int
  private let literalCount: Int
  private let matchCount: Int
  private let literalsEnd: Int
  private let literalBits: Int
  private let tripleBits: Int
  private let literalStates: [Int]
  private let lengthState: Int
  private let matchState: Int
  private let distanceState: Int
  private let frequencies: [Int]

  private static let symbols = (length: 20, match: 20, distance: 64, literal: 256)

  /// - Parameters:
  ///   - short: `true` if the header has packed fields and frequencies (`bvx2`).
  ///   - size: decompressed size of the block in bytes.
  init(_ bytes: [UInt8], at place: Int, short: Bool, size: Int) throws(LZFSE.FormatError) {
    func little(_ offset: Int, _ count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(bytes[place + offset + $1]) << UInt64($1 * 8) }
    }
    let header: Int
    let literalBytes: Int
    let tripleBytes: Int
    if short {
      guard bytes.count - place >= 32 else { throw .cutShort }
      let fields = [little(8, 8), little(16, 8), little(24, 8)]
      func field(_ word: Int, _ first: UInt64, _ width: UInt64) -> Int {
        Int(fields[word] >> first & ((1 << width) - 1))
      }
      literalCount = field(0, 0, 20)
      literalBytes = field(0, 20, 20)
      matchCount = field(0, 40, 20)
      literalBits = field(0, 60, 3) - 7
      literalStates = (0..<4).map { field(1, $0 * 10, 10) }
      tripleBytes = field(1, 40, 20)
      tripleBits = field(1, 60, 3) - 7
      header = field(2, 0, 32)
      lengthState = field(2, 32, 10)
      matchState = field(2, 42, 10)
      distanceState = field(2, 52, 10)
      guard header >= 32 else { throw .damaged }
      guard header <= bytes.count - place else { throw .cutShort }
      frequencies = try Self.frequencies(bytes[place + 32..<place + header])
    } else {
      header = 772
      guard bytes.count - place >= header else { throw .cutShort }
      literalCount = Int(little(12, 4))
      matchCount = Int(little(16, 4))
      literalBytes = Int(little(20, 4))
      tripleBytes = Int(little(24, 4))
      literalBits = Int(Int32(truncatingIfNeeded: little(28, 4)))
      literalStates = (0..<4).map { Int(little(32 + $0 * 2, 2)) }
      tripleBits = Int(Int32(truncatingIfNeeded: little(40, 4)))
      lengthState = Int(little(44, 2))
      matchState = Int(little(46, 2))
      distanceState = Int(little(48, 2))
      frequencies = (0..<360).map { Int(little(50 + $0 * 2, 2)) }
    }
    guard literalCount <= 40_000, literalCount % 4 == 0, matchCount <= 10_000, (-7...0).contains(literalBits),
      (-7...0).contains(tripleBits), literalStates.allSatisfy({ $0 < 1024 }), lengthState < 64, matchState < 64,
      distanceState < 256
    else { throw .damaged }
    // Literals are padded to a multiple of four; a triple yields at least one byte, unless it marks the end.
    guard literalCount <= size + 3, matchCount <= size + 1 else { throw .damaged }
    literalsEnd = place + header + literalBytes
    end = literalsEnd + tripleBytes
    guard end <= bytes.count else { throw .cutShort }
  }

  /// Decodes the 360 frequencies of a short header, each in 2 to 14 bits.
  private static func frequencies(_ bytes: ArraySlice<UInt8>) throws(LZFSE.FormatError) -> [Int] {
    guard !bytes.isEmpty else { return [Int](repeating: 0, count: 360) }
    // By the lowest five bits: code length in bits, and the value of codes with up to five bits.
    let lengths = [2, 3, 2, 5, 2, 3, 2, 8, 2, 3, 2, 5, 2, 3, 2, 14]
    let values = [0, 2, 1, 4, 0, 3, 1, -1, 0, 2, 1, 5, 0, 3, 1, -1, 0, 2, 1, 6, 0, 3, 1, -1, 0, 2, 1, 7, 0, 3, 1, -1]
    var frequencies: [Int] = []
    var (pending, held, place) = (0, 0, bytes.startIndex)
    for _ in 0..<360 {
      while place < bytes.endIndex, held <= 24 {
        pending |= Int(bytes[place]) << held
        held += 8
        place += 1
      }
      let length = lengths[pending & 15]
      guard length <= held else { throw .damaged }
      frequencies.append(
        length == 8 ? 8 + (pending >> 4 & 15) : length == 14 ? 24 + (pending >> 4 & 1023) : values[pending & 31])
      pending >>= length
      held -= length
    }
    guard held < 8, place == bytes.endIndex else { throw .damaged }
    return frequencies
  }

  func unpack(_ bytes: [UInt8], into output: inout [UInt8], until end: Int) throws(LZFSE.FormatError) {
    let symbols = Self.symbols
    let distanceStart = symbols.length + symbols.match
    let literalStart = distanceStart + symbols.distance
    let literals = try literals(bytes, Array(frequencies[literalStart...]))
    let lengths = try Values(Array(frequencies[..<symbols.length]), states: 64, bits: [2, 3, 5, 8])
    let matches = try Values(
      Array(frequencies[symbols.length..<distanceStart]), states: 64, bits: [3, 5, 8, 11])
    let distances = try Values(
      Array(frequencies[distanceStart..<literalStart]), states: 256,
      base: (0..<64).reduce(into: [0]) { $0.append($0[$1] + 1 << ($1 / 4)) }, bits: (0..<64).map { $0 / 4 })
    var reader = ReverseBitReader(bytes, end: self.end, skipping: tripleBits)
    var (lengthState, matchState, distanceState) = (lengthState, matchState, distanceState)
    var (used, distance) = (0, 0)
    for _ in 0..<matchCount {
      let length = try lengths.next(&lengthState, &reader)
      let match = try matches.next(&matchState, &reader)
      let new = try distances.next(&distanceState, &reader)
      if new != 0 { distance = new }
      guard used + length <= literals.count, length <= end - output.count else { throw .damaged }
      output += literals[used..<used + length]
      used += length
      try LZFSE.copy(match, from: distance, in: &output, until: end)
    }
  }

  private func literals(_ bytes: [UInt8], _ frequencies: [Int]) throws(LZFSE.FormatError) -> [UInt8] {
    guard literalCount > 0 else { return [] }
    let table = try Values(frequencies, states: 1024, base: Array(0..<256), bits: [Int](repeating: 0, count: 256))
    var reader = ReverseBitReader(bytes, end: literalsEnd, skipping: literalBits)
    var states = literalStates
    var literals: [UInt8] = []
    literals.reserveCapacity(literalCount)
    for index in 0..<literalCount { literals.append(UInt8(try table.next(&states[index & 3], &reader))) }
    return literals
  }

  /// Table of a finite-state decoder whose symbols represent values: a base and raw bits.
  private struct Values {
    private struct Entry {
      var bits = 0
      var step = 0
      var value = 0
      var plain = 0
    }
    private var entries: [Entry] = []

    /// The first sixteen values are literal; the others have an increasing number of raw bits.
    init(_ frequencies: [Int], states: Int, bits: [Int]) throws(LZFSE.FormatError) {
      let plain = [Int](repeating: 0, count: 16) + bits
      try self.init(
        frequencies, states: states, base: plain.reduce(into: [0]) { $0.append(($0.last ?? Int.zero) + 1 << $1) },
        bits: plain)
    }

    init(_ frequencies: [Int], states: Int, base: [Int], bits: [Int]) throws(LZFSE.FormatError) {
      guard frequencies.reduce(0, +) <= states else { throw .damaged }
      for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
        let shift = UInt32(frequency).leadingZeroBitCount - UInt32(states).leadingZeroBitCount
        let wide = 2 * states >> shift - frequency
        for index in 0..<frequency {
          entries.append(
            index < wide
              ? Entry(
                bits: shift, step: (frequency + index) << shift - states, value: base[symbol], plain: bits[symbol])
              : Entry(bits: shift - 1, step: (index - wide) << (shift - 1), value: base[symbol], plain: bits[symbol]))
        }
      }
    }

    func next(_ state: inout Int, _ reader: inout ReverseBitReader) throws(LZFSE.FormatError) -> Int {
      guard entries.indices.contains(state) else { throw .damaged }
      let entry = entries[state]
      state = entry.step + (try reader.take(entry.bits))
      return entry.value + (try reader.take(entry.plain))
    }
  }
}

/// Reads bits backward, from the end of the data.
struct ReverseBitReader {
  private let bytes: [UInt8]
  /// Number of bits before the read position.
  private var left: Int

  /// - Parameter skipping: negated number of unused highest bits.
  init(_ bytes: [UInt8], end: Int, skipping: Int) {
    self.bytes = bytes
    left = end * 8 + skipping
  }

  /// Returns the next `count` bits, at most 24, as a number.
  mutating func take(_ count: Int) throws(LZFSE.FormatError) -> Int {
    guard count > 0 else { return 0 }
    left -= count
    guard left >= 0 else { throw .cutShort }
    var value = 0
    for index in 0..<4 where left / 8 + index < bytes.count { value |= Int(bytes[left / 8 + index]) << (index * 8) }
    return value >> (left % 8) & (1 << count - 1)
  }
}
