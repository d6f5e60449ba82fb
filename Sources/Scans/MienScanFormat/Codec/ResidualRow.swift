/// Previous row of a stream: its residuals, symbols and magnitudes, and the contexts derived for the next row.
///
/// All arrays are padded to multiples of sixteen; entries beyond the map's width are zero.
struct ResidualRow: Sendable {
  /// Magnitude from which ``DepthContexts`` makes no further distinction.
  static let largestSize: UInt32 = 150

  let width: Int
  var errors: ContiguousArray<Int32>
  var symbols: ContiguousArray<UInt8>
  /// Magnitudes, padded with one zero before and at least one after.
  private var sizes: ContiguousArray<UInt8>
  /// Row context of each sample of the next row.
  private(set) var contexts: ContiguousArray<UInt8>

  init(width: Int) {
    self.width = width
    let places = (width + 15) / 16 * 16
    errors = ContiguousArray(repeating: 0, count: places)
    symbols = ContiguousArray(repeating: 0, count: places)
    sizes = ContiguousArray(repeating: 0, count: places + 2)
    contexts = symbols
    clear()
  }

  /// Resets to the state before the middle row: no residuals.
  mutating func clear() {
    for place in symbols.indices { symbols[place] = 0 }
    for place in sizes.indices { sizes[place] = 0 }
    writeContexts()
  }

  /// Converts the residuals to symbols; raw bits are written to `plain`.
  mutating func fold(_ plain: inout BitWriter) {
    Self.fold(errors, &symbols, &sizes, &plain)
  }

  /// Converts symbols and raw bits to residuals.
  mutating func unfold(_ plain: inout BitReader) throws(DepthCodecError) {
    try Self.unfold(symbols, &errors, &sizes, &plain)
  }

  /// Computes the contexts of the next row from the symbols.
  mutating func writeContexts() {
    let (symbols, sizes) = (symbols, sizes)
    var output = contexts.mutableSpan
    DepthContexts.write(of: symbols.span, sizes: sizes.span, into: &output)
  }

  /// Moves the contexts to the symbol array, where symbols replace them one by one; entries beyond the map's width are
  /// zero.
  mutating func turnContextsToSymbols() {
    swap(&symbols, &contexts)
    for place in width..<symbols.count { symbols[place] = 0 }
  }

  // Small residuals are processed in bulk without branches; the few large ones are processed individually afterwards.

  private static func fold(
    _ errors: ContiguousArray<Int32>, _ symbols: inout ContiguousArray<UInt8>, _ sizes: inout ContiguousArray<UInt8>,
    _ plain: inout BitWriter
  ) {
    let errors = errors.span
    let count = errors.count
    var symbols = symbols.mutableSpan
    var output = symbols._mutatingExtracting(0..<count)
    var sizes = sizes.mutableSpan
    var size = sizes._mutatingExtracting(1..<count &+ 1)
    for x in 0..<count {
      // Below 2²¹, so that a signed comparison suffices.
      output[x] = UInt8(truncatingIfNeeded: min(Int32(bitPattern: ResidualSymbols.fold(errors[x])), 255))
    }
    for x in 0..<count { size[x] = output[x] / 2 &+ (output[x] & 1) }
    for group in 0..<count &>> 3 {
      let first = group &<< 3
      var large = Self.largeBytes(output.span, first)
      while large != 0 {
        let x = first &+ large.trailingZeroBitCount &>> 3
        large &= large &- 1
        let folded = ResidualSymbols.fold(errors[x])
        let (symbol, bits) = ResidualSymbols.large(folded)
        output[x] = symbol
        size[x] = UInt8(truncatingIfNeeded: min(errors[x].magnitude, largestSize))
        plain.write(folded &>> 1 & ((1 &<< UInt32(truncatingIfNeeded: bits)) &- 1), bits)
      }
    }
  }

  private static func unfold(
    _ symbols: ContiguousArray<UInt8>, _ errors: inout ContiguousArray<Int32>, _ sizes: inout ContiguousArray<UInt8>,
    _ plain: inout BitReader
  ) throws(DepthCodecError) {
    let symbols = symbols.span
    let count = symbols.count
    var errors = errors.mutableSpan
    var output = errors._mutatingExtracting(0..<count)
    var sizes = sizes.mutableSpan
    var size = sizes._mutatingExtracting(1..<count &+ 1)
    // Each loop writes elements of one width, so it vectorizes: sixteen bytes or four residuals at once.
    for x in 0..<count { size[x] = symbols[x] / 2 &+ (symbols[x] & 1) }
    for x in 0..<count { output[x] = ResidualSymbols.unfold(UInt32(symbols[x])) }
    try plain.check()
    plain.run { words, place in
      for group in 0..<count &>> 3 {
        let first = group &<< 3
        var large = Self.largeBytes(symbols, first)
        while large != 0 {
          let x = first &+ large.trailingZeroBitCount &>> 3
          large &= large &- 1
          let symbol = symbols[x]
          let rest = BitReader.read(words, ResidualSymbols.bits(after: symbol), &place)
          let error = ResidualSymbols.unfold(ResidualSymbols.folded(symbol, rest))
          output[x] = error
          size[x] = UInt8(truncatingIfNeeded: min(error.magnitude, largestSize))
        }
      }
    }
  }

  /// Returns a mask with a bit in the byte of each of the eight values from `first` on that is
  /// ``ResidualSymbols/single`` or more.
  @inline(__always) private static func largeBytes(_ bytes: borrowing Span<UInt8>, _ first: Int) -> UInt64 {
    let eight = bytes.extracting(first..<first &+ 8)
    var word: UInt64 = 0
    for index in 0..<8 { word |= UInt64(eight[index]) &<< UInt64(truncatingIfNeeded: index &* 8) }
    let high = word &>> 4 & 0x0F0F_0F0F_0F0F_0F0F
    return (high &+ 0x0F0F_0F0F_0F0F_0F0F) & 0x1010_1010_1010_1010
  }
}

/// Coding order of a map's rows: the middle row first, then one above and one below it at a time.
///
/// Each row is predicted from its neighbor towards the middle. Two rows that do not depend on each other are coded in
/// parallel by the two streams of ``ContextCoder``.
struct RowOrder: Sendable {
  let height: Int
  var middle: Int { height / 2 }
  /// Number of steps after the middle row.
  var steps: Int { max(middle, height - 1 - middle) }

  /// Returns the upper and the lower row of a step 1…`steps`; the last step may lack one of them.
  func rows(of step: Int) -> (upper: Int?, lower: Int?) {
    (middle - step >= 0 ? middle - step : nil, middle + step < height ? middle + step : nil)
  }

  /// Returns the neighbor from which a row is predicted.
  func source(of row: Int) -> Int? { row == middle ? nil : row < middle ? row + 1 : row - 1 }
}

/// Mapping of a prediction residual to one of 48 symbols and raw bits.
///
/// The residual e is zigzag-coded to z = 2e for e ≥ 0 and −2e−1 otherwise. Values of z below 16 are symbols of their
/// own; above, an octave of z has two symbols, one for each sign: 16 + 2(⌊log₂ z⌋ − 4) + (z mod 2), and the ⌊log₂ z⌋ −
/// 1 bits between the highest and the lowest of z follow as raw bits.
enum ResidualSymbols {
  static let count = 48
  static let single: UInt32 = 16

  @inline(__always) static func fold(_ error: Int32) -> UInt32 { UInt32(bitPattern: (error &<< 1) ^ (error &>> 31)) }

  @inline(__always) static func unfold(_ folded: UInt32) -> Int32 {
    Int32(bitPattern: folded &>> 1) ^ (0 &- Int32(bitPattern: folded & 1))
  }

  /// Returns the symbol of a zigzag-coded residual of 16 or more, and the number of raw bits that follow it.
  @inline(__always) static func large(_ folded: UInt32) -> (symbol: UInt8, bits: Int) {
    let octave = 31 &- folded.leadingZeroBitCount
    return (UInt8(truncatingIfNeeded: 8 &+ 2 &* octave &+ Int(folded & 1)), octave &- 1)
  }

  /// Returns the number of raw bits that follow a symbol of 16 or more.
  @inline(__always) static func bits(after symbol: UInt8) -> Int { Int(symbol &- 8) &>> 1 &- 1 }

  /// Returns the zigzag-coded residual of a symbol of 16 or more and its raw bits.
  @inline(__always) static func folded(_ symbol: UInt8, _ plain: UInt32) -> UInt32 {
    (1 &<< UInt32(bits(after: symbol)) | plain) &<< 1 | UInt32(symbol & 1)
  }

  /// Residual of each symbol; for large symbols, with raw bits of zero.
  static let errorOfSymbol: ContiguousArray<Int32> = ContiguousArray(
    (0..<UInt8(count)).map { symbol in unfold(symbol < 16 ? UInt32(symbol) : folded(symbol, 0)) })

  /// Class of each symbol by the residual's sign and magnitude; large ones are in the outermost classes.
  static let classOfSymbol: ContiguousArray<UInt8> = ContiguousArray(
    (0..<UInt8(count)).map { symbol in
      UInt8([-7, -2, -1, 0, 1, 2, 3, 8].count { $0 <= errorOfSymbol[Int(symbol)] })
    })
}
