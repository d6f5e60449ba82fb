extension DepthCodecState {
  mutating func readHoles(_ cursor: inout LittleEndianReader) throws(DepthCodecError) {
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

  mutating func readModes(_ bits: inout BitReader) throws(DepthCodecError) {
    for block in modes.indices { modes[block] = UInt8(try bits.read(2)) }
  }

  /// Reconstructs a row of `image` from its residuals.
  mutating func rebuild(_ row: Int, _ errors: ContiguousArray<Int32>, holes: Bool, usesBefore: Bool) {
    let (range, source) = (range(of: row), plan.source(of: row).map { $0 * width })
    guard holes || usesBefore else { return Self.rebuild(&image, range, source: source, errors) }
    let start = source.map { image[$0] }
    if usesBefore {
      writeBase(of: row)
    } else {
      // Surface prediction only: the base is the slope of the neighboring row towards the middle.
      for x in 0..<width {
        base[x] = source.map { image[$0 + x] &- (x > 0 ? image[$0 + x - 1] : 0) } ?? .zero
      }
    }
    let firstBlock = row / DepthPredictor.blockHeight * DepthPredictor.blocks(width: width, height: 1).across
    guard holes else { return Self.rebuild(&image, range, errors, base: base, modes: modes, firstBlock: firstBlock) }
    for x in 0..<width {
      let place = range.lowerBound + x
      if valid[place] == 0 {
        image[place] = x > 0 ? image[place - 1] : start ?? .zero
        continue
      }
      let usesLeft =
        x > 0 && (!usesBefore || modes[firstBlock + x / DepthPredictor.blockWidth] < DepthPredictor.still.rawValue)
      image[place] = (usesLeft ? image[place - 1] : 0) &+ base[x] &+ errors[x]
    }
  }

  /// Reconstructs a row without holes of a map predicted from the previous frame, block by block.
  private static func rebuild(
    _ image: inout ContiguousArray<Int32>, _ range: Range<Int>, _ errors: ContiguousArray<Int32>,
    base: ContiguousArray<Int32>, modes: ContiguousArray<UInt8>, firstBlock: Int
  ) {
    let count = range.count
    let errors = errors.span.extracting(0..<count)
    let base = base.span.extracting(0..<count)
    var all = image.mutableSpan
    var numbers = all._mutatingExtracting(range)
    var left = Int32.zero
    var block = firstBlock
    for number in 0..<(count &+ DepthPredictor.blockWidth &- 1) / DepthPredictor.blockWidth {
      let first = number &* DepthPredictor.blockWidth
      let end = min(first &+ DepthPredictor.blockWidth, count)
      if modes[block] < DepthPredictor.still.rawValue {
        for x in first..<end {
          left &+= base[x] &+ errors[x]
          numbers[x] = left
        }
      } else {
        for x in first..<end { numbers[x] = base[x] &+ errors[x] }
        left = numbers[end - 1]
      }
      block += 1
    }
  }

  /// Reconstructs a row without holes of an intra-coded map: the difference from the source row is the running sum of
  /// the residuals.
  private static func rebuild(
    _ image: inout ContiguousArray<Int32>, _ range: Range<Int>, source: Int?, _ errors: ContiguousArray<Int32>
  ) {
    let row = errors.span.extracting(0..<range.count)
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

  /// Returns the samples of the reconstructed map, or nil if a value index is outside the quantizer's range.
  func samples(_ quantizer: ValueQuantizer, holes: Bool) -> [UInt16]? {
    let (image, allValues) = (image, quantizer.values)
    let numbers = image.span
    // The OR of all indices proves for most maps that none is too large; it is cheaper than finding the maximum.
    var bits: UInt32 = 0
    for place in 0..<numbers.count { bits |= UInt32(bitPattern: numbers[place]) }
    guard bits < UInt32(quantizer.count) || image.allSatisfy({ UInt32(bitPattern: $0) < UInt32(quantizer.count) })
    else {
      return nil
    }
    var samples = [UInt16](repeating: 0, count: numbers.count)
    var output = samples.mutableSpan
    if quantizer.kind == .every {
      for place in 0..<output.count { output[place] = UInt16(truncatingIfNeeded: numbers[place]) }
    } else {
      let values = allValues.span.extracting(0..<65536)
      for place in 0..<output.count {
        output[place] = values[Int(UInt16(truncatingIfNeeded: numbers[place]))]
      }
    }
    if holes {
      for place in valid.indices where valid[place] == 0 { samples[place] = 0 }
    }
    return samples
  }
}
