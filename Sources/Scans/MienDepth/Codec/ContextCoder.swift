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
    /// For each context and each place: frequency less one (8 bits), place within the symbol's share (from bit 8, 8 bits),
    /// symbol (from bit 16). Filled up to 65536, so that no place made of 16 bits is beyond it.
    private(set) var entries = ContiguousArray<UInt32>(repeating: 0, count: 65536)

    /// Builds the tables of the contexts whose bits are set.
    mutating func build(_ tables: FrequencyTables, _ changed: UInt32) {
      Self.build(tables, changed, &entries)
    }

    private static func build(
      _ tables: FrequencyTables, _ changed: UInt32, _ entries: inout ContiguousArray<UInt32>
    ) {
      let frequencies = tables.frequencies.span
      var entries = entries.mutableSpan
      for context in 0..<tables.contexts where changed >> UInt32(context) & 1 != 0 {
        var place = context * FrequencyTables.total
        for symbol in 0..<tables.symbols {
          let frequency = UInt32(frequencies[context * tables.symbols + symbol])
          var entry = (frequency &- 1) & 255 | UInt32(symbol) << 16
          for _ in 0..<frequency {
            entries[place] = entry
            entry &+= 1 << 8
            place &+= 1
          }
        }
        // A context without a table has symbol 0 everywhere, whatever stood there before.
        while place < (context + 1) * FrequencyTables.total {
          entries[place] = 0
          place &+= 1
        }
      }
    }
  }

  /// Decodes one symbol: in the row context at hand and after the symbol `left`, which becomes this one.
  ///
  /// `contexts` and `entries` have 65536 entries each, of which the compiler knows when they are cut to just that. What
  /// takes the time is the way from one entry to the next, by the state and by the context, so both are kept short.
  @inline(__always) static func decode(
    rowContext: UInt8, _ left: inout UInt32, _ state: inout UInt32, contexts: borrowing Span<UInt16>,
    entries: borrowing Span<UInt32>, words: borrowing Span<UInt16>, _ next: inout Int
  ) -> UInt8 {
    let context = contexts[Int(UInt16(truncatingIfNeeded: UInt32(rowContext) &<< 6 | left))]
    let place = Int(context) | Int(UInt8(truncatingIfNeeded: state))
    let entry = entries[place]
    let high = state &>> FrequencyTables.totalBits
    let within = UInt32(UInt8(truncatingIfNeeded: entry &>> 8))
    let rest = UInt32(UInt8(truncatingIfNeeded: entry)) &* high &+ (high &+ within)
    // Both states are there before one is chosen, so that nothing is guessed, wrong every seventh time.
    let filled = rest &<< 16 | UInt32(words[next])
    let needsWord = rest < lowest
    state = needsWord ? filled : rest
    next &+= needsWord ? 1 : 0
    left = entry &>> 16
    return UInt8(truncatingIfNeeded: left)
  }
}
