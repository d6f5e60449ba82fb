/// Entropy coder with a frequency table per context: range coding in the form of rANS.
///
/// States have 32 bits and are at least 2¹⁶ between symbols; words have 16 bits; frequencies are in 1/256. Two
/// interleaved streams (two rows coded in parallel) have separate states and share the words, so that a processor can
/// work on both at once. After J. Duda, "Asymmetric numeral systems", arXiv:1311.2540, with F. Giesen's division by
/// multiplication (arXiv:1402.3392).
enum ContextCoder {
  static let lowest: UInt32 = 1 << 16

  /// Precomputed values for encoding one symbol.
  struct Entry {
    /// ⌈2⁶⁴ / frequency⌉, or 2⁶⁴−1 for the frequency 1.
    var reciprocal: UInt64 = 0
    /// 256 − frequency.
    var rest: UInt32 = 0
    var bias: UInt32 = 0
  }

  /// Computes one entry per context and symbol.
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

  /// Encodes one symbol into `state`.
  @inline(__always) static func encode(
    _ entry: Entry, _ state: inout UInt32, _ words: inout MutableSpan<UInt16>, _ first: inout Int
  ) {
    // If the state has reached frequency · 2²⁴, a word is output first. This is branchless, because the branch would be
    // mispredicted every seventh time: the word is always written and only counted if needed.
    words[first &- 1] = UInt16(truncatingIfNeeded: state)
    let isFull: UInt32 = state &>> 24 &+ entry.rest >= 256 ? 1 : 0
    first &-= Int(isFull)
    state &>>= isFull &* 16
    let quotient = UInt32(truncatingIfNeeded: UInt64(state).multipliedFullWidth(by: entry.reciprocal).high)
    state = state &+ entry.bias &+ quotient &* entry.rest
  }

  /// Frequency tables in the layout used for decoding.
  struct DecodingTables {
    /// Per context and slot: frequency minus one (8 bits), offset within the symbol's range (from bit 8, 8 bits),
    /// symbol (from bit 16). Padded to 65536 entries, so that any 16-bit index is in bounds.
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
        // Fills the slots of a context without a table with symbol 0, overwriting earlier entries.
        while place < (context + 1) * FrequencyTables.total {
          entries[place] = 0
          place &+= 1
        }
      }
    }
  }

  /// Decodes one symbol in the given row context, after the symbol `left`, which is updated.
  ///
  /// `contexts` and `entries` have 65536 entries each; slicing them to exactly that size lets the compiler drop bounds
  /// checks. The latency is dominated by the dependency from one entry to the next, through the state and the context,
  /// so both paths are short.
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
    // Computes both candidate states before selecting one, because a branch would be mispredicted every seventh time.
    let filled = rest &<< 16 | UInt32(words[next])
    let needsWord = rest < lowest
    state = needsWord ? filled : rest
    next &+= needsWord ? 1 : 0
    left = entry &>> 16
    return UInt8(truncatingIfNeeded: left)
  }
}
