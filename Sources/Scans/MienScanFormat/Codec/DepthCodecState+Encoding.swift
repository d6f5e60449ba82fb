extension DepthCodecState {
  /// Marks samples without a measurement; returns `false` if there are none.
  mutating func markHoles(_ samples: ContiguousArray<UInt16>) -> Bool {
    let samples = samples.span
    // The highest bit of (s − 1) & ~s is set for zero only.
    var holes: UInt16 = 0
    for place in 0..<samples.count { holes |= (samples[place] &- 1) & ~samples[place] }
    guard holes >> 15 != 0 else { return false }
    var valid = valid.mutableSpan
    for place in 0..<min(valid.count, samples.count) { valid[place] = samples[place] == 0 ? 0 : 1 }
    return true
  }

  /// Replaces the samples by their quantizer indices; returns `false` if a sample has none.
  mutating func setNumbers(of samples: ContiguousArray<UInt16>, _ quantizer: ValueQuantizer) -> Bool {
    let samples = samples.span
    var image = image.mutableSpan
    let count = min(image.count, samples.count)
    guard quantizer.kind != .every else {
      for place in 0..<count { image[place] = Int32(samples[place]) }
      return true
    }
    // One entry for every possible sample, which the compiler can use to drop bounds checks.
    let numbers = quantizer.numbers.span.extracting(0..<65536)
    var largest: UInt16 = 0
    for place in 0..<count {
      let number = numbers[Int(samples[place])]
      largest = max(largest, number)
      image[place] = Int32(number)
    }
    return largest != .max
  }

  /// Fills each hole with the value of its left neighbor, or of the source row at the start of the row.
  mutating func fillHoles() {
    fillHoles(row: plan.middle)
    for step in 1..<plan.steps + 1 {
      let (upper, lower) = plan.rows(of: step)
      if let upper { fillHoles(row: upper) }
      if let lower { fillHoles(row: lower) }
    }
  }

  private mutating func fillHoles(row: Int) {
    var left = plan.source(of: row).map { image[$0 * width] } ?? Int32.zero
    for place in row * width..<(row + 1) * width {
      if valid[place] == 0 { image[place] = left } else { left = image[place] }
    }
  }

  /// Writes the run lengths of alternating holes and measurements, holes first, row by row from the top.
  func writeHoles(to bytes: inout [UInt8]) {
    var run = 0
    var kind: UInt8 = 0
    for isValid in valid {
      if isValid != kind {
        bytes.appendVariable(run)
        run = 0
        kind = isValid
      }
      run += 1
    }
    bytes.appendVariable(run)
  }

  /// Writes the residuals of a row.
  mutating func writeErrors(of row: Int, into errors: inout ContiguousArray<Int32>, usesBefore: Bool, holes: Bool) {
    let range = range(of: row)
    if usesBefore {
      writeBase(of: row)
      let firstBlock = row / DepthPredictor.blockHeight * DepthPredictor.blocks(width: width, height: 1).across
      Self.write(&errors, image, range, base: base, modes: modes, firstBlock: firstBlock)
    } else {
      Self.write(&errors, image, range, source: plan.source(of: row).map { self.range(of: $0) })
    }
    if holes {
      for x in 0..<width where valid[row * width + x] == 0 { errors[x] = 0 }
    }
  }

  /// Writes the residuals of a row predicted from its source row only, or of the first row without a source.
  private static func write(
    _ errors: inout ContiguousArray<Int32>, _ image: ContiguousArray<Int32>, _ range: Range<Int>, source: Range<Int>?
  ) {
    let numbers = image.span.extracting(range)
    var all = errors.mutableSpan
    all[0] = numbers[0] &- (source.map { image[$0.lowerBound] } ?? .zero)
    let (now, left) = (numbers.extracting(1..<range.count), numbers.extracting(0..<range.count &- 1))
    var errors = all._mutatingExtracting(1..<range.count)
    guard let source else {
      for x in 0..<errors.count { errors[x] = now[x] &- left[x] }
      return
    }
    let near = image.span.extracting(source)
    let (nearNow, nearLeft) = (near.extracting(1..<range.count), near.extracting(0..<range.count &- 1))
    for x in 0..<errors.count { errors[x] = (now[x] &- nearNow[x]) &- (left[x] &- nearLeft[x]) }
  }

  /// Writes the residuals of a row predicted from the previous frame, block by block.
  private static func write(
    _ errors: inout ContiguousArray<Int32>, _ image: ContiguousArray<Int32>, _ range: Range<Int>,
    base: ContiguousArray<Int32>, modes: ContiguousArray<UInt8>, firstBlock: Int
  ) {
    let numbers = image.span.extracting(range)
    let bases = base.span
    var all = errors.mutableSpan
    for first in stride(from: 0, to: range.count, by: DepthPredictor.blockWidth) {
      let places = first..<min(first &+ DepthPredictor.blockWidth, range.count)
      let (now, base) = (numbers.extracting(places), bases.extracting(places))
      var errors = all._mutatingExtracting(places)
      for x in 0..<places.count { errors[x] = now[x] &- base[x] }
      guard modes[firstBlock &+ first / DepthPredictor.blockWidth] < DepthPredictor.still.rawValue else { continue }
      for x in (first == 0 ? 1 : 0)..<places.count { errors[x] &-= numbers[first &+ x &- 1] }
    }
  }

  /// Chooses a predictor for each block; returns `false` without choosing if the previous frame does not help.
  mutating func chooseModes() -> Bool {
    let blocks = DepthPredictor.blocks(width: width, height: height)
    // Tests every thirteenth block to decide whether testing all of them is worthwhile.
    var helped = 0
    var looked = 0
    for block in stride(from: 0, to: blocks.across * blocks.down, by: 13) {
      looked += 1
      if bestMode(block: block, across: blocks.across) != .surface { helped += 1 }
    }
    guard helped * 3 > looked else { return false }
    for block in modes.indices { modes[block] = bestMode(block: block, across: blocks.across).rawValue }
    return true
  }

  /// Returns the predictor with the smallest residuals in every second row of a block, each residual clamped to 63.
  private func bestMode(block: Int, across: Int) -> DepthPredictor {
    let firstRow = block / across * DepthPredictor.blockHeight
    let firstPlace = block % across * DepthPredictor.blockWidth
    var sums = SIMD4<Int32>.zero
    for row in stride(from: firstRow, to: min(firstRow + DepthPredictor.blockHeight, height), by: 2) {
      guard let source = plan.source(of: row) else { continue }
      let now = image.span.extracting(range(of: row))
      let near = image.span.extracting(range(of: source))
      let then = before.span.extracting(range(of: row))
      let nearThen = before.span.extracting(range(of: source))
      for x in max(1, firstPlace)..<max(1, min(firstPlace + DepthPredictor.blockWidth, width)) {
        let surface = near[x] &- near[x &- 1]
        let gradients = (surface &+ then[x] &- then[x &- 1]) &>> 1
        let fromLeft = now[x] &- now[x &- 1]
        let still = now[x] &- then[x]
        let errors = SIMD4(fromLeft &- surface, fromLeft &- gradients, still, still &- near[x] &+ nearThen[x])
        let signs = errors &>> 31
        sums &+= pointwiseMin((errors ^ signs) &- signs, SIMD4(repeating: 63))
      }
    }
    // Prefers intra prediction unless the previous frame is clearly better.
    sums[0] = sums[0] &- sums[0] / 16
    var best = DepthPredictor.surface
    for mode in DepthPredictor.allCases where sums[Int(mode.rawValue)] < sums[Int(best.rawValue)] { best = mode }
    return best
  }
}
