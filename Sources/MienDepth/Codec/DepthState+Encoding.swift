extension DepthState {
  /// Notes where there is no measurement; false when there is one everywhere.
  mutating func markHoles(_ samples: [UInt16]) -> Bool {
    var valid = valid.mutableSpan
    var holes = 0
    for place in 0..<valid.count {
      let isValid: UInt8 = samples[place] == 0 ? 0 : 1
      valid[place] = isValid
      holes &+= 1 &- Int(isValid)
    }
    return holes > 0
  }

  /// Replaces the samples by their numbers in the lattice; false when one has none.
  mutating func setNumbers(of samples: [UInt16], _ lattice: ValueLattice) -> Bool {
    var image = image.mutableSpan
    guard lattice.kind != .every else {
      for place in 0..<image.count { image[place] = Int32(samples[place]) }
      return true
    }
    let numbers = lattice.numbers.span
    var missed: UInt16 = 0
    for place in 0..<image.count {
      let number = numbers[Int(samples[place])]
      missed |= number == .max ? 1 : 0
      image[place] = Int32(number)
    }
    return missed == 0
  }

  /// Gives each hole the value of its left neighbour, or of the row's source at the row's start.
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

  /// The lengths of the runs of holes and measurements in turn, holes first, row by row from the top.
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

  /// Writes `errors` for a row.
  mutating func writeErrors(of row: Int, usesBefore: Bool, holes: Bool) {
    let range = range(of: row)
    if usesBefore {
      writeBase(of: row)
      writeErrorsOfBase(
        range, firstBlock: row / Prediction.blockHeight * Prediction.blocks(width: width, height: 1).across)
    } else {
      let (image, source) = (image, plan.source(of: row).map { self.range(of: $0) })
      let numbers = image.span.extracting(range)
      var errors = errors.mutableSpan
      if let source {
        let near = image.span.extracting(source)
        var before = Int32.zero
        for x in 0..<numbers.count {
          let difference = numbers[x] &- near[x]
          errors[x &+ 1] = difference &- before
          before = difference
        }
      } else {
        var before = Int32.zero
        for x in 0..<numbers.count {
          errors[x &+ 1] = numbers[x] &- before
          before = numbers[x]
        }
      }
    }
    if holes {
      for x in 0..<width where valid[row * width + x] == 0 { errors[x + 1] = 0 }
    }
  }

  private mutating func writeErrorsOfBase(_ range: Range<Int>, firstBlock: Int) {
    let (image, allBases, modes) = (image, base, modes)
    let numbers = image.span.extracting(range)
    let base = allBases.span
    var errors = errors.mutableSpan
    for x in 0..<numbers.count {
      let usesLeft = x > 0 && modes[firstBlock + x / Prediction.blockWidth] < Prediction.still.rawValue
      errors[x &+ 1] = numbers[x] &- (usesLeft ? numbers[x &- 1] : 0) &- base[x]
    }
  }

  /// Chooses a prediction for each block; false, and nothing chosen, when the frame before helps nowhere.
  mutating func chooseModes() -> Bool {
    let blocks = Prediction.blocks(width: width, height: height)
    // A look at every thirteenth block tells whether the others are worth the time.
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

  /// The prediction with the smallest errors in every second row of a block, each error counted up to 63.
  private func bestMode(block: Int, across: Int) -> Prediction {
    let firstRow = block / across * Prediction.blockHeight
    let firstPlace = block % across * Prediction.blockWidth
    var sums = SIMD4<Int32>.zero
    for row in stride(from: firstRow, to: min(firstRow + Prediction.blockHeight, height), by: 2) {
      guard let source = plan.source(of: row) else { continue }
      let now = image.span.extracting(range(of: row))
      let near = image.span.extracting(range(of: source))
      let then = before.span.extracting(range(of: row))
      let nearThen = before.span.extracting(range(of: source))
      for x in max(1, firstPlace)..<max(1, min(firstPlace + Prediction.blockWidth, width)) {
        let surface = near[x] &- near[x &- 1]
        let gradients = (surface &+ then[x] &- then[x &- 1]) &>> 1
        let fromLeft = now[x] &- now[x &- 1]
        let still = now[x] &- then[x]
        let errors = SIMD4(fromLeft &- surface, fromLeft &- gradients, still, still &- near[x] &+ nearThen[x])
        let signs = errors &>> 31
        sums &+= pointwiseMin((errors ^ signs) &- signs, SIMD4(repeating: 63))
      }
    }
    // A block keeps to its own picture unless the frame before is clearly better.
    sums[0] = sums[0] &- sums[0] / 16
    var best = Prediction.surface
    for mode in Prediction.allCases where sums[Int(mode.rawValue)] < sums[Int(best.rawValue)] { best = mode }
    return best
  }
}
