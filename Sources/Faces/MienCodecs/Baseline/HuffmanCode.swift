/// A Huffman code of a JPEG, made to be looked up by the next bits.
struct HuffmanCode {
  /// What a code word stands for, and how much it takes.
  struct Word {
    /// Bits of the code word and of the number behind it in 0..<8, of the number alone in 8..<16, steps in the order of
    /// coefficients from 16.
    let packed: UInt32

    @inline(__always) var length: UInt32 { packed & 0xFF }
    @inline(__always) var size: UInt32 { packed &>> 8 & 0xFF }
    @inline(__always) var steps: Int { Int(packed &>> 16) }

    /// Steps past the last coefficient, as no run makes them.
    static let endOfBlock = 128

    /// Nil for symbols that no baseline JPEG has.
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

  /// Bits that are looked up at once.
  static let reach = 10

  /// By the next ten bits; missing where the code word is longer or there is none.
  let words: ContiguousArray<Word>
  /// Of longer code words, by length: the first code above all of that length, at the left of 16 bits.
  private let ends: [UInt32]
  /// Of longer code words, by length: where the first one's would stand among ``longWords``, less its code.
  private let offsets: [Int]
  private let longWords: [Word]

  /// - Parameters:
  ///   - counts: how many code words have 1…16 bits.
  ///   - symbols: what they stand for, in the order of codes.
  ///   - first: true for the code of the first coefficients, which have no run of zeros before them.
  /// - Returns: nil when that is no Huffman code.
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
        // A code word of ones alone is not allowed.
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

  /// The word at the front of `bits` when it is longer than what is looked up; nil when there is none.
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
