/// Symbols to words and back, each with the frequency table of its context: range coding in the form of rANS.
///
/// States of 32 bits, at least 2¹⁶ between symbols; words of 16 bits; frequencies in parts of 1024. Two lanes (two rows
/// that are coded side by side) have a state each and share the words; a processor can work on both at once. After J.
/// Duda, "Asymmetric numeral systems", arXiv:1311.2540, with F. Giesen's division by multiplication (arXiv:1402.3392).
enum ContextCoder {
  static let lowest: UInt32 = 1 << 16

  /// What coding one symbol needs.
  struct Entry {
    /// ⌈2⁶⁴ / frequency⌉, or 2⁶⁴−1 for the frequency 1.
    var reciprocal: UInt64 = 0
    /// 1024 − frequency.
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
          reciprocal: reciprocal, rest: 1024 - frequency, bias: frequency == 1 ? start + 1023 : start)
        start += frequency
      }
    }
  }

  /// Codes one symbol on `state`.
  @inline(__always) static func encode(
    _ entry: Entry, _ state: inout UInt32, _ words: inout MutableSpan<UInt16>, _ first: inout Int
  ) {
    // At frequency · 2²² and beyond it the state gives up a word first.
    if UInt64(state) >= UInt64(1024 &- entry.rest) &<< 22 {
      first &-= 1
      words[first] = UInt16(truncatingIfNeeded: state)
      state &>>= 16
    }
    let quotient = UInt32(truncatingIfNeeded: UInt64(state).multipliedFullWidth(by: entry.reciprocal).high)
    state = state &+ entry.bias &+ quotient &* entry.rest
  }

  /// The tables as decoding needs them.
  struct DecodingTables {
    /// The symbol for each context and each of 1024 places.
    private(set) var symbols: ContiguousArray<UInt8>
    /// For each context and symbol: frequency (11 bits), start (from bit 11, 10 bits), class (from bit 24).
    private(set) var entries: ContiguousArray<UInt32>
    private let classes: ContiguousArray<UInt8>

    /// - Parameter classes: the class of each symbol, for the context of the next one.
    init(contexts: Int, classes: ContiguousArray<UInt8>) {
      symbols = ContiguousArray(repeating: 0, count: contexts * 1024)
      entries = ContiguousArray(repeating: 0, count: contexts * classes.count)
      self.classes = classes
    }

    /// Builds the tables of all contexts.
    mutating func build(_ tables: FrequencyTables) {
      Self.build(tables, classes, &symbols, &entries)
    }

    private static func build(
      _ tables: FrequencyTables, _ classes: ContiguousArray<UInt8>, _ symbols: inout ContiguousArray<UInt8>,
      _ entries: inout ContiguousArray<UInt32>
    ) {
      var symbols = symbols.mutableSpan
      var entries = entries.mutableSpan
      for context in 0..<tables.contexts {
        var start = 0
        for symbol in 0..<tables.symbols {
          let frequency = Int(tables.frequencies[context * tables.symbols + symbol])
          entries[context * tables.symbols + symbol] =
            UInt32(frequency) | UInt32(start & 1023) << 11 | UInt32(classes[symbol]) << 24
          for place in context * 1024 + start..<context * 1024 + start + frequency { symbols[place] = UInt8(symbol) }
          start += frequency
        }
      }
    }
  }

  /// Decodes one symbol: in the row context at hand and after an error of class `left`, which becomes this symbol's.
  @inline(__always) static func decode(
    rowContext: UInt8, _ left: inout UInt8, _ state: inout UInt32, contexts: borrowing Span<UInt8>,
    symbols: borrowing Span<UInt8>, entries: borrowing Span<UInt32>, words: borrowing Span<UInt16>, _ next: inout Int
  ) -> UInt8 {
    let context = Int(contexts[Int(rowContext &+ left)])
    let place = state & 1023
    let symbol = symbols[context &<< 10 | Int(place)]
    let entry = entries[context &* ResidualSymbols.count &+ Int(symbol)]
    state = (entry & 2047) &* (state &>> 10) &+ place &- (entry &>> 11 & 1023)
    // Without a branch, which would be guessed wrong every seventh time: all ones when a word is needed.
    let needed: UInt32 = 0 &- UInt32(truncatingIfNeeded: (UInt64(state) &- UInt64(lowest)) &>> 63)
    state = state &<< (needed & 16) | UInt32(words[next]) & needed
    next &+= Int(needed & 1)
    left = UInt8(truncatingIfNeeded: entry &>> 24)
    return symbol
  }
}
