/// Which of 32 frequency tables codes an error: chosen by what is known of its neighbours' errors.
///
/// From the row before: the size r = 2|e(above)| + |e(above left)| + |e(above right)| in nine levels, and the sign of
/// e(above). From the row itself: the class of the error to the left (``ResidualSymbols/classOfSymbol``). The 243
/// combinations were merged to 32 by joining, again and again, the two that cost the least (LiDAR frames of a phone).
enum DepthContexts {
  static let count = 32

  /// The table for `rowContext * 9 + class of the left error`.
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

  /// Where each table's places begin: ``table`` times 256.
  static let placeOfTable = ContiguousArray(table.map { UInt16($0) * UInt16(FrequencyTables.total) })

  /// Nine times three signs for each level of r up to 150, as they count in ``table``, for a positive error above.
  private static let levelOfSize: ContiguousArray<UInt8> = ContiguousArray(
    (0...150).map { size in UInt8([1, 2, 4, 6, 10, 20, 50, 150].count { $0 <= size } * 27 + 9) })

  /// Writes, for every place of a row, its row context times nine, from the errors of the row before.
  ///
  /// `errors` has one zero before and one after the row's own; they stay below 2²⁰.
  static func write(of errors: borrowing Span<Int32>, into contexts: inout MutableSpan<UInt8>) {
    let levelTable = levelOfSize
    let levels = levelTable.span
    let count = contexts.count
    let errors = errors.extracting(1..<count &+ 2)
    var left = UInt32.zero
    var middle = errors[0].magnitude
    var sign = nineTimesSign(errors[0])
    for x in 0..<count {
      let next = errors[x &+ 1]
      let right = next.magnitude
      let size = left &+ middle &+ middle &+ right
      contexts[x] = levels[Int(min(size, 150))] &+ sign
      left = middle
      middle = right
      sign = nineTimesSign(next)
    }
  }

  @inline(__always) private static func nineTimesSign(_ error: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: (error &>> 31 | Int32(bitPattern: UInt32(bitPattern: 0 &- error) &>> 31)) &* 9)
  }
}
