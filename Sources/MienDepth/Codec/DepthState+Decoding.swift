extension DepthState {
  mutating func readHoles(_ cursor: inout ByteCursor) throws(DepthCodecFault) {
    var place = 0
    var kind: UInt8 = 0
    while place < valid.count {
      let run = try cursor.variable()
      guard run <= valid.count - place, run > 0 || place == 0 else { throw .damaged("a run of holes") }
      for hole in place..<place + run { valid[hole] = kind }
      place += run
      kind ^= 1
    }
  }

  mutating func readModes(_ bits: inout BitReader) throws(DepthCodecFault) {
    for block in modes.indices { modes[block] = UInt8(try bits.read(2)) }
  }

  /// Writes a row of `image` and its `errors` from its symbols and plain bits.
  mutating func rebuild(
    _ row: Int, _ symbols: borrowing Span<UInt8>, holes: Bool, usesBefore: Bool, _ plain: inout BitReader
  ) throws(DepthCodecFault) {
    let range = range(of: row)
    guard holes || usesBefore else {
      return try Self.rebuild(
        &image, range, source: plan.source(of: row).map { $0 * width }, &errors, symbols, &plain)
    }
    if !holes { return try rebuildBlocks(row, symbols, &plain) }
    let start = plan.source(of: row).map { image[$0 * width] }
    if usesBefore {
      writeBase(of: row)
    } else {
      // The surface alone: what is added to the left neighbour is the slope of the row towards the middle.
      for x in 0..<width {
        base[x] = plan.source(of: row).map { image[$0 * width + x] &- (x > 0 ? image[$0 * width + x - 1] : 0) } ?? .zero
      }
    }
    let firstBlock = row / Prediction.blockHeight * Prediction.blocks(width: width, height: 1).across
    try Self.rebuild(
      &image, range, &errors, symbols, base: base, modes: usesBefore ? modes : [], firstBlock: firstBlock,
      valid: holes ? valid : [], start: start, &plain)
  }

  /// A row without holes of a map that builds on the one before, block by block.
  private mutating func rebuildBlocks(
    _ row: Int, _ symbols: borrowing Span<UInt8>, _ plain: inout BitReader
  ) throws(DepthCodecFault) {
    try Self.write(&errors, of: symbols.extracting(0..<width), &plain)
    writeBase(of: row)
    let firstBlock = row / Prediction.blockHeight * Prediction.blocks(width: width, height: 1).across
    Self.rebuild(&image, range(of: row), errors: errors, base: base, modes: modes, firstBlock: firstBlock)
  }

  private static func rebuild(
    _ image: inout ContiguousArray<Int32>, _ range: Range<Int>, errors: ContiguousArray<Int32>,
    base: ContiguousArray<Int32>, modes: ContiguousArray<UInt8>, firstBlock: Int
  ) {
    let count = range.count
    let errors = errors.span.extracting(1..<count + 1)
    let base = base.span.extracting(0..<count)
    var all = image.mutableSpan
    var numbers = all._mutatingExtracting(range)
    var left = Int32.zero
    var block = firstBlock
    for first in stride(from: 0, to: count, by: Prediction.blockWidth) {
      let end = min(first + Prediction.blockWidth, count)
      if modes[block] < Prediction.still.rawValue {
        for x in first..<end {
          left = left &+ base[x] &+ errors[x]
          numbers[x] = left
        }
      } else {
        for x in first..<end { numbers[x] = base[x] &+ errors[x] }
        left = numbers[end - 1]
      }
      block += 1
    }
  }

  /// A row without holes of a map that builds on itself alone: the difference to the source sums up the errors.
  private static func rebuild(
    _ image: inout ContiguousArray<Int32>, _ range: Range<Int>, source: Int?, _ errors: inout ContiguousArray<Int32>,
    _ symbols: borrowing Span<UInt8>, _ plain: inout BitReader
  ) throws(DepthCodecFault) {
    try write(&errors, of: symbols.extracting(0..<range.count), &plain)
    let errors = errors
    let row = errors.span.extracting(1..<range.count &+ 1)
    var image = image.mutableSpan
    let first = range.lowerBound
    var difference = Int32.zero
    if let source {
      for x in 0..<row.count {
        difference &+= row[x]
        image[first &+ x] = difference &+ image[source &+ x]
      }
    } else {
      for x in 0..<row.count {
        difference &+= row[x]
        image[first &+ x] = difference
      }
    }
  }

  /// The errors of symbols: small ones by a table first, then those that have plain bits, which are few.
  private static func write(
    _ errors: inout ContiguousArray<Int32>, of symbols: borrowing Span<UInt8>, _ plain: inout BitReader
  ) throws(DepthCodecFault) {
    var all = errors.mutableSpan
    let count = symbols.count
    var errors = all._mutatingExtracting(1..<count &+ 1)
    var first = 0
    // Sixteen at a time: a processor has instructions for just that.
    while count &- first >= 16 {
      let some = symbols.extracting(first..<first &+ 16)
      var output = errors._mutatingExtracting(first..<first &+ 16)
      var large: UInt8 = 0
      for x in 0..<16 {
        let symbol = some[x]
        output[x] = ResidualSymbols.unfold(UInt32(symbol))
        large |= symbol
      }
      // Symbols are below 48: one of these bits is set in those that have plain bits.
      if large & 0x30 != 0 {
        for x in 0..<16 where some[x] >= UInt8(ResidualSymbols.single) { output[x] = try error(of: some[x], &plain) }
      }
      first &+= 16
    }
    while first < count {
      errors[first] = try error(of: symbols[first], &plain)
      first &+= 1
    }
  }

  private static func rebuild(
    _ image: inout ContiguousArray<Int32>, _ range: Range<Int>, _ errors: inout ContiguousArray<Int32>,
    _ symbols: borrowing Span<UInt8>, base: ContiguousArray<Int32>, modes: ContiguousArray<UInt8>, firstBlock: Int,
    valid: ContiguousArray<UInt8>, start: Int32?, _ plain: inout BitReader
  ) throws(DepthCodecFault) {
    let (holes, usesBefore) = (!valid.isEmpty, !modes.isEmpty)
    let valid = valid.span.extracting(holes ? range : 0..<0)
    let base = base.span
    var errors = errors.mutableSpan
    var rows = image.mutableSpan
    var numbers = rows._mutatingExtracting(range)
    for x in 0..<numbers.count {
      if holes, valid[x] == 0 {
        errors[x &+ 1] = 0
        numbers[x] = x > 0 ? numbers[x &- 1] : start ?? .zero
        continue
      }
      let error = try error(of: symbols[x], &plain)
      errors[x &+ 1] = error
      let usesLeft = x > 0 && (!usesBefore || modes[firstBlock + x / Prediction.blockWidth] < Prediction.still.rawValue)
      numbers[x] = (usesLeft ? numbers[x &- 1] : 0) &+ base[x] &+ error
    }
  }

  @inline(__always) private static func error(of symbol: UInt8, _ plain: inout BitReader) throws(DepthCodecFault)
    -> Int32
  {
    guard symbol >= UInt8(ResidualSymbols.single) else { return ResidualSymbols.unfold(UInt32(symbol)) }
    return ResidualSymbols.unfold(
      ResidualSymbols.folded(symbol, try plain.read(ResidualSymbols.bits(after: symbol))))
  }

  /// The samples of the rebuilt map; nil when a number is not one of the lattice's.
  func samples(_ lattice: ValueLattice, holes: Bool) -> [UInt16]? {
    let numbers = image.span
    let count = UInt32(lattice.count)
    var wrong = false
    var samples = ContiguousArray<UInt16>(repeating: 0, count: numbers.count)
    var output = samples.mutableSpan
    if lattice.kind == .every {
      var all: UInt32 = 0
      for place in 0..<numbers.count {
        let number = UInt32(bitPattern: numbers[place])
        all |= number
        output[place] = UInt16(truncatingIfNeeded: number)
      }
      wrong = all >= count
    } else {
      let values = lattice.values.span
      var largest: UInt32 = 0
      for place in 0..<numbers.count {
        let number = UInt32(bitPattern: numbers[place])
        largest = max(largest, number)
        output[place] = values[Int(min(number, count &- 1))]
      }
      wrong = largest >= count
    }
    if holes {
      let valid = valid.span
      for place in 0..<valid.count where valid[place] == 0 { output[place] = 0 }
    }
    return wrong ? nil : Array(samples)
  }
}
