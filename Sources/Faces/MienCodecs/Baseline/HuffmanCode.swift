/// A JPEG Huffman code with a table indexed by the next bits.
struct HuffmanCode {
  /// The decoded meaning of a code word and its length.
  struct Word {
    /// Bits 0..<8: length of the code word and the number that follows it; bits 8..<16: length of the number alone;
    /// from bit 16: steps in coefficient order.
    let packed: UInt32

    @inline(__always) var length: UInt32 { packed & 0xFF }
    @inline(__always) var size: UInt32 { packed &>> 8 & 0xFF }
    @inline(__always) var steps: Int { Int(packed &>> 16) }

    /// A step count past the last coefficient that no run produces.
    static let endOfBlock = 128

    /// Returns `nil` for symbols that are invalid in a baseline JPEG.
    init?(_ symbol: UInt8, length: Int) {
      let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
      guard size > 0 || run == 0 || run == 15 else { return nil }
      let steps = symbol == 0 ? Self.endOfBlock : run + 1
      packed = UInt32(length + size) | UInt32(size) << 8 | UInt32(steps) << 16
    }

    fileprivate init() {
      packed = 0
    }

    @inline(__always) var isMissing: Bool { packed == 0 }
  }

  /// Number of bits per table lookup.
  static let reach = 10

  /// Words by the next ten bits; missing if the code word is longer or invalid.
  let words: ContiguousArray<Word>
  /// For longer code words, by length: the first code above all of that length, left-aligned in 16 bits.
  private let ends: [UInt32]
  /// For longer code words, by length: the index of the first one in ``longWords``, minus its code.
  private let offsets: [Int]
  private let longWords: [Word]

  /// - Parameters:
  ///   - counts: number of code words of each length 1…16 bits.
  ///   - symbols: the symbols in code order.
  ///   - first: `true` for the DC code, whose symbols have no zero run.
  /// - Returns: `nil` if this is not a valid Huffman code.
  init?(counts: [Int], symbols: [UInt8], first: Bool) {
    guard counts.count == 16, counts.reduce(0, +) == symbols.count, symbols.count <= 256,
      !first || symbols.allSatisfy({ $0 < 16 })
    else { return nil }
    var words = ContiguousArray(repeating: Word(), count: 1 << Self.reach)
    var ends = [UInt32](repeating: 0, count: 17)
    var offsets = [Int](repeating: 0, count: 17)
    var all: [Word] = []
    var code = 0
    for length in 1...16 {
      let first = code
      offsets[length] = all.count - first
      for _ in 0..<counts[length - 1] {
        // A code word consisting only of ones is not allowed.
        guard code < 1 << length - 1, let word = Word(symbols[all.count], length: length) else { return nil }
        all.append(word)
        if length <= Self.reach {
          let start = code << (Self.reach - length)
          for index in start..<start + 1 << (Self.reach - length) { words[index] = word }
        }
        code += 1
      }
      ends[length] = UInt32(code) << UInt32(16 - length)
      code <<= 1
    }
    self.words = words
    self.ends = ends
    self.offsets = offsets
    longWords = all
  }

  /// Returns the word at the front of `bits` if it is longer than the lookup table covers; `nil` if there is none.
  @inline(never)
  func longWord(in bits: UInt64) -> Word? {
    let next = UInt32(truncatingIfNeeded: bits >> 48)
    for length in Self.reach + 1...16 where next < ends[length] {
      let index = Int(next >> UInt32(16 - length)) + offsets[length]
      return longWords.indices.contains(index) ? longWords[index] : nil
    }
    return nil
  }
}
