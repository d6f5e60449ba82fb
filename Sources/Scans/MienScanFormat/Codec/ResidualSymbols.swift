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
