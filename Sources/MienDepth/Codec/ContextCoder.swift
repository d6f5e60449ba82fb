/// Symbols to words and back, each with the frequency table of its context: range coding in the form of rANS.
///
/// States of 32 bits, at least 2¹⁶ between symbols; words of 16 bits; frequencies in parts of 256. Two lanes (two rows
/// that are coded side by side) have a state each and share the words; a processor can work on both at once. After J.
/// Duda, "Asymmetric numeral systems", arXiv:1311.2540, with F. Giesen's division by multiplication (arXiv:1402.3392).
enum ContextCoder {
  static let lowest: UInt32 = 1 << 16

  /// What coding one symbol needs.
  struct Entry {
    /// ⌈2⁶⁴ / frequency⌉, or 2⁶⁴−1 for the frequency 1.
    var reciprocal: UInt64 = 0
    /// 256 − frequency.
    var rest: UInt32 = 0
    var bias: UInt32 = 0
  }

  /// One entry for each context and symbol.
  static func entries(of tables: FrequencyTables, into entries: inout ContiguousArray<Entry>) {
    for context in 0..<tables.contexts {
      var start: UInt32 = 0
      for place in context * tables.symbols..<(context + 1) * tables.symbols {
        let frequency = UInt32(tables.frequencies[place])
        guard frequency > 0 else { continue }
        let reciprocal = frequency == 1 ? UInt64.max : (UInt64.max / UInt64(frequency)) + 1
        entries[place] = Entry(
          reciprocal: reciprocal, rest: 256 - frequency, bias: frequency == 1 ? start + 255 : start)
        start += frequency
      }
    }
  }

  /// Codes one symbol on `state`.
  @inline(__always) static func encode(
    _ entry: Entry, _ state: inout UInt32, _ words: inout MutableSpan<UInt16>, _ first: inout Int
  ) {
    // At frequency · 2²⁴ and beyond it the state gives up a word first. Without a branch, which would be guessed wrong
    // every seventh time: the word is written in any case, and counts only then.
    words[first &- 1] = UInt16(truncatingIfNeeded: state)
    let isFull: UInt32 = state &>> 24 &+ entry.rest >= 256 ? 1 : 0
    first &-= Int(isFull)
    state &>>= isFull &* 16
    let quotient = UInt32(truncatingIfNeeded: UInt64(state).multipliedFullWidth(by: entry.reciprocal).high)
    state = state &+ entry.bias &+ quotient &* entry.rest
  }

  /// The tables as decoding needs them.
  struct DecodingTables {
    /// For each context and each place: frequency (10 bits), place within the symbol's share (from bit 10, 10 bits), symbol
    /// (from bit 20, 6 bits), class (from bit 28).
    private(set) var entries: ContiguousArray<UInt32>
    private let classes: ContiguousArray<UInt8>

    /// - Parameter classes: the class of each symbol, for the context of the next one.
    init(contexts: Int, classes: ContiguousArray<UInt8>) {
      entries = ContiguousArray(repeating: 0, count: contexts * FrequencyTables.total)
      self.classes = classes
    }

    /// Builds the tables of the contexts whose bits are set.
    mutating func build(_ tables: FrequencyTables, _ changed: UInt32) {
      Self.build(tables, changed, classes, &entries)
    }

    private static func build(
      _ tables: FrequencyTables, _ changed: UInt32, _ classes: ContiguousArray<UInt8>,
      _ entries: inout ContiguousArray<UInt32>
    ) {
      let frequencies = tables.frequencies.span
      var entries = entries.mutableSpan
      for context in 0..<tables.contexts where changed >> UInt32(context) & 1 != 0 {
        var place = context * FrequencyTables.total
        for symbol in 0..<tables.symbols {
          let frequency = UInt32(frequencies[context * tables.symbols + symbol])
          var entry = frequency | UInt32(symbol) << 20 | UInt32(classes[symbol]) << 28
          for _ in 0..<frequency {
            entries[place] = entry
            entry &+= 1 << 10
            place &+= 1
          }
        }
      }
    }
  }

  /// Decodes one symbol: in the row context at hand and after an error of class `left`, which becomes this symbol's.
  ///
  /// `contexts` has 256 entries and `entries` 8192, of which the compiler knows when they are cut to just that.
  @inline(__always) static func decode(
    rowContext: UInt8, _ left: inout UInt32, _ state: inout UInt32, contexts: borrowing Span<UInt16>,
    entries: borrowing Span<UInt32>, words: borrowing Span<UInt16>, _ next: inout Int
  ) -> UInt8 {
    let context = UInt32(contexts[Int(UInt8(truncatingIfNeeded: UInt32(rowContext) &+ left))])
    let entry = entries[Int((context | state & UInt32(FrequencyTables.total - 1)) & 8191)]
    let rest = (entry & 1023) &* (state &>> FrequencyTables.totalBits) &+ (entry &>> 10 & 1023)
    // Without a branch, which would be guessed wrong every seventh time: all ones when a word is needed. Both states are
    // there before one is chosen.
    let needed = (Int64(rest) &- Int64(lowest)) &>> 63
    let filled = rest &<< 16 | UInt32(words[next])
    state = rest ^ (rest ^ filled) & UInt32(truncatingIfNeeded: needed)
    next &-= Int(needed)
    left = entry &>> 28
    return UInt8(truncatingIfNeeded: entry &>> 20 & 63)
  }
}
