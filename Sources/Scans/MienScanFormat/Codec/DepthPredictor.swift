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
