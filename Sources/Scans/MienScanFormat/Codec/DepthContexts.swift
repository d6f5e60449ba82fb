/// Selection of one of 32 frequency tables for a residual from the residuals of its neighbors.
///
/// From the previous row: the magnitude r = 2|e(above)| + |e(above left)| + |e(above right)| in nine levels, and the
/// sign of e(above). From the current row: the class of the residual to the left (``ResidualSymbols/classOfSymbol``).
/// The 243 combinations were reduced to 32 by repeatedly merging the two with the lowest cost (on LiDAR frames of a
/// phone).
enum DepthContexts {
  static let count = 32

  /// Table index for `rowContext * 9 + class of the left residual`.
  static let table: ContiguousArray<UInt8> = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 3, 4, 5, 12, 10, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    9, 10, 11, 14, 3, 15, 6, 16, 13, 9, 17, 2, 18, 19, 20, 6, 17, 13, 9, 16, 2, 15, 5, 21, 12, 17, 13,
    9, 17, 11, 22, 18, 23, 10, 16, 13, 9, 16, 10, 10, 10, 10, 10, 16, 13, 9, 16, 10, 23, 20, 12, 6, 17, 13,
    9, 16, 10, 2, 2, 10, 17, 16, 13, 9, 16, 16, 16, 16, 16, 16, 16, 13, 9, 16, 17, 10, 6, 6, 17, 16, 13,
    9, 24, 16, 16, 1, 16, 16, 24, 13, 9, 24, 24, 24, 16, 24, 24, 24, 13, 9, 24, 16, 16, 16, 16, 16, 24, 13,
    25, 9, 9, 9, 26, 9, 9, 9, 25, 25, 25, 13, 7, 7, 16, 7, 9, 13, 25, 9, 7, 7, 7, 7, 7, 9, 27,
    8, 25, 25, 25, 25, 25, 25, 25, 28, 13, 25, 13, 9, 9, 9, 13, 25, 25, 8, 27, 27, 27, 27, 27, 27, 27, 8,
    29, 0, 0, 0, 0, 0, 0, 0, 30, 25, 9, 13, 9, 25, 13, 9, 27, 25, 30, 8, 8, 8, 8, 8, 8, 8, 31,
  ]

  /// Offsets of each context's table of 256 slots, indexed by row context times 64 plus the symbol to the left.
  static let places = offsets(UInt16(FrequencyTables.total))

  /// Offsets of each context's table of codes, one per symbol, indexed by row context times 64 plus the symbol to the
  /// left.
  static let codes = offsets(UInt16(ResidualSymbols.count))

  /// Returns ``table`` expanded from classes to symbols, times `step`; 65536 entries, so that any 16-bit index is in
  /// bounds.
  private static func offsets(_ step: UInt16) -> ContiguousArray<UInt16> {
    ContiguousArray(
      (0..<65536).map { place in
        let (context, symbol) = (place / 64, place % 64)
        guard context < table.count / 9, symbol < ResidualSymbols.count else { return 0 }
        return UInt16(table[context * 9 + Int(ResidualSymbols.classOfSymbol[symbol])]) * step
      })
  }

  /// Computes the row context of every sample of the next row from the current row's symbols and residual magnitudes.
  ///
  /// `sizes` is padded with one zero on either side; each value is at most ``ResidualRow/largestSize``. The comparisons
  /// use half of r, rounded down, which distinguishes all levels but the first, because thresholds from the second on
  /// are even. The computation uses bytes without tables or branches, so it vectorizes to sixteen samples at once.
  static func write(
    of symbols: borrowing Span<UInt8>, sizes: borrowing Span<UInt8>, into contexts: inout MutableSpan<UInt8>
  ) {
    let count = symbols.count
    let (left, middle) = (sizes.extracting(0..<count), sizes.extracting(1..<count &+ 1))
    let right = sizes.extracting(2..<count &+ 2)
    var contexts = contexts._mutatingExtracting(0..<count)
    for x in 0..<count {
      let half = min(min(middle[x], 100) &+ (left[x] & right[x]) &+ ((left[x] ^ right[x]) &>> 1), 127)
      // The highest bit of each sum is set from its threshold on.
      var level = (half &+ 127) &>> 7 &+ (half &+ 126) &>> 7
      level &+= (half &+ 125) &>> 7 &+ (half &+ 123) &>> 7
      level &+= (half &+ 118) &>> 7 &+ (half &+ 103) &>> 7
      level &+= (half &+ 53) &>> 7 &+ min(left[x] | middle[x] | right[x], 1)
      // The lowest bit of a symbol is the sign of its residual.
      contexts[x] = 3 &* level &+ 1 &+ min(symbols[x], 1) &- 2 &* (symbols[x] & 1)
    }
  }
}

/// Prediction of a sample from its left neighbor and a base that is known before the row is decoded.
///
/// The prediction is `left + base` or `base`, chosen per 16 × 8 block. With n the neighbor in the adjacent row towards
/// the middle, p the same position in the previous frame, and W for the position to the left of each: `surface` left +
/// n − nW · `both` left + half of (n − nW) + (p − pW) · `still` p · `moved` p + n − p(position of n).
enum DepthPredictor: UInt8, CaseIterable {
  case surface = 0
  case both = 1
  case still = 2
  case moved = 3

  static let blockWidth = 16
  static let blockHeight = 8

  var usesLeft: Bool { self == .surface || self == .both }

  static func blocks(width: Int, height: Int) -> (across: Int, down: Int) {
    ((width + blockWidth - 1) / blockWidth, (height + blockHeight - 1) / blockHeight)
  }

  /// Computes the base of a row with a predictor per block.
  static func write(
    _ source: borrowing Span<Int32>, before: borrowing Span<Int32>, sourceBefore: borrowing Span<Int32>,
    modes: borrowing Span<UInt8>, into base: inout MutableSpan<Int32>
  ) {
    for block in 0..<modes.count {
      let places = block &* blockWidth..<min(block &* blockWidth &+ blockWidth, base.count)
      let source = source.extracting(places.lowerBound &- (block > 0 ? 1 : 0)..<places.upperBound)
      let before = before.extracting(places.lowerBound &- (block > 0 ? 1 : 0)..<places.upperBound)
      let sourceBefore = sourceBefore.extracting(places)
      var base = base._mutatingExtracting(places)
      write(
        source, before, sourceBefore, DepthPredictor(rawValue: modes[block]) ?? .moved, hasLeft: block > 0, into: &base)
    }
  }

  /// Computes the base of a block; with `hasLeft`, source and previous map begin one sample to the left of it.
  @inline(__always) private static func write(
    _ source: borrowing Span<Int32>, _ before: borrowing Span<Int32>, _ sourceBefore: borrowing Span<Int32>,
    _ mode: DepthPredictor, hasLeft: Bool, into base: inout MutableSpan<Int32>
  ) {
    let first = hasLeft ? 1 : 0
    let count = base.count
    let (here, then) = (source.extracting(first..<first &+ count), before.extracting(first..<first &+ count))
    let (left, thenLeft) = (source.extracting(0..<count), before.extracting(0..<count))
    switch mode {
    case .surface where hasLeft: for x in 0..<count { base[x] = here[x] &- left[x] }
    case .surface:
      base[0] = here[0]
      for x in 1..<max(count, 1) { base[x] = here[x] &- here[x &- 1] }
    case .both where hasLeft:
      for x in 0..<count { base[x] = (here[x] &- left[x] &+ then[x] &- thenLeft[x]) &>> 1 }
    case .both:
      base[0] = (here[0] &+ then[0]) &>> 1
      for x in 1..<max(count, 1) { base[x] = (here[x] &- here[x &- 1] &+ then[x] &- then[x &- 1]) &>> 1 }
    case .still: for x in 0..<count { base[x] = then[x] }
    case .moved: for x in 0..<count { base[x] = then[x] &+ here[x] &- sourceBefore[x] }
    }
  }
}
