/// How a row is predicted: each place from its left neighbour and a number that is known before the row is.
///
/// A place's prediction is `left + base` or `base`, chosen for blocks of 16 × 8. With n the neighbour in the row towards
/// the middle, p the place in the frame before, and W for the place to the left of each:
/// `surface` left + n − nW · `both` left + half of (n − nW) + (p − pW) · `still` p · `moved` p + n − p(n's place).
enum Prediction: UInt8, CaseIterable {
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

  /// The base of a row whose blocks differ.
  static func write(
    _ source: borrowing Span<Int32>, before: borrowing Span<Int32>, sourceBefore: borrowing Span<Int32>,
    modes: borrowing Span<UInt8>, into base: inout MutableSpan<Int32>
  ) {
    for x in 0..<base.count {
      let left = x &- 1
      switch Prediction(rawValue: modes[x / blockWidth]) {
      case .surface: base[x] = x == 0 ? source[0] : source[x] &- source[left]
      case .both:
        let gradients =
          x == 0 ? source[0] &+ before[0] : source[x] &- source[left] &+ before[x] &- before[left]
        base[x] = gradients &>> 1
      case .still: base[x] = before[x]
      case .moved, nil: base[x] = before[x] &+ source[x] &- sourceBefore[x]
      }
    }
  }
}
