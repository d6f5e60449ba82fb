/// Codes depth maps without loss, a map after the other.
///
/// One encoder serves one scan: a frame that is not a key frame is told by what differs from the frame before.
public struct DepthEncoder: Sendable {
  private let width: Int
  private let height: Int
  private let micrometresPerStep: Int
  private let halves: [ValueLattice]
  private var lattice = ValueLattice.every
  private var state: DepthState
  private var tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
  private var symbols: ContiguousArray<UInt8>
  private var contexts: ContiguousArray<UInt8>
  private var counts: ContiguousArray<UInt32>
  private var entries: ContiguousArray<ContextCoder.Entry>
  private var words: ContiguousArray<UInt16>
  private var plain = BitWriter()
  private var hasBefore = false

  /// - Parameters:
  ///   - width: 1…4096 pixels.
  ///   - height: 1…4096 pixels.
  ///   - micrometresPerStep: what a step of the samples is worth; a wrong one costs size, not correctness.
  public init(width: Int, height: Int, micrometresPerStep: Int) {
    precondition((1...4096).contains(width) && (1...4096).contains(height) && micrometresPerStep > 0)
    self.width = width
    self.height = height
    self.micrometresPerStep = micrometresPerStep
    halves = [false, true].map { .halves(cut: $0, micrometresPerStep: micrometresPerStep) }
    state = DepthState(width: width, height: height)
    symbols = ContiguousArray(repeating: 0, count: width * height)
    contexts = symbols
    counts = ContiguousArray(repeating: 0, count: DepthContexts.count * ResidualSymbols.count)
    entries = ContiguousArray(repeating: ContextCoder.Entry(), count: counts.count)
    words = ContiguousArray(repeating: 0, count: width * height + 4)
  }

  /// Codes a map of `width * height` samples.
  ///
  /// - Parameter asKey: the map can be decoded without the ones before. The first map is a key frame in any case, and so
  ///   is one whose values do not fit those of the last key frame.
  /// - Returns: the bytes, and whether it became a key frame.
  public mutating func encode(_ samples: [UInt16], asKey: Bool) -> (bytes: [UInt8], isKey: Bool) {
    precondition(samples.count == width * height)
    var isKey = asKey || !hasBefore
    swap(&state.image, &state.before)
    let hasHoles = state.markHoles(samples)
    if isKey || !state.setNumbers(of: samples, lattice) {
      isKey = true
      chooseLattice(samples)
      tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
    }
    if hasHoles { state.fillHoles() }
    let usesBefore = !isKey && state.chooseModes()
    model(holes: hasHoles, usesBefore: usesBefore)
    hasBefore = true

    var head = BitWriter()
    if usesBefore { for mode in state.modes { head.write(UInt32(mode), 2) } }
    let counts = counts
    tables.adapt(to: counts.span, writing: &head)
    head.finish()
    let (first, states) = code(holes: hasHoles)

    var bytes: [UInt8] = []
    bytes.reserveCapacity((words.count - first) * 2 + (head.words.count + plain.words.count) * 4 + 64)
    bytes.append((isKey ? 1 : 0) | (hasHoles ? 2 : 0) | (usesBefore ? 4 : 0) | lattice.kind.rawValue << 4)
    if isKey, lattice.kind == .listed { lattice.write(to: &bytes) }
    if hasHoles { state.writeHoles(to: &bytes) }
    bytes.appendVariable(head.words.count)
    bytes.appendVariable(plain.words.count)
    bytes.appendVariable(words.count - first)
    for state in states { bytes.appendLittle(state) }
    for word in head.words { bytes.appendLittle(word) }
    for word in plain.words { bytes.appendLittle(word) }
    Self.append(words, from: first, to: &bytes)
    return (bytes, isKey)
  }

  private static func append(_ words: ContiguousArray<UInt16>, from first: Int, to bytes: inout [UInt8]) {
    var little = ContiguousArray<UInt8>(repeating: 0, count: (words.count - first) * 2)
    let words = words.span
    var output = little.mutableSpan
    for index in 0..<words.count - first {
      let word = words[first + index]
      output[2 * index] = UInt8(truncatingIfNeeded: word)
      output[2 * index + 1] = UInt8(truncatingIfNeeded: word &>> 8)
    }
    bytes += little
  }

  /// The first lattice that all samples lie on.
  private mutating func chooseLattice(_ samples: [UInt16]) {
    for candidate in halves where state.setNumbers(of: samples, candidate) {
      lattice = candidate
      return
    }
    lattice = ValueLattice.listed(samples) ?? .every
    _ = state.setNumbers(of: samples, lattice)
  }

  /// Predicts every row; leaves symbols, contexts, counts and plain bits.
  private mutating func model(holes: Bool, usesBefore: Bool) {
    plain.reset()
    for place in counts.indices { counts[place] = 0 }
    state.clearErrors()
    modelRow(state.plan.middle, holes: holes, usesBefore: usesBefore)
    state.otherErrors = state.errors
    for step in 1..<state.plan.steps + 1 {
      let (upper, lower) = state.plan.rows(of: step)
      if let upper { modelRow(upper, holes: holes, usesBefore: usesBefore) }
      if let lower {
        state.swapLanes()
        modelRow(lower, holes: holes, usesBefore: usesBefore)
        state.swapLanes()
      }
    }
    plain.finish()
  }

  private mutating func modelRow(_ row: Int, holes: Bool, usesBefore: Bool) {
    state.writeRowContexts()
    state.writeErrors(of: row, usesBefore: usesBefore, holes: holes)
    let range = state.range(of: row)
    Self.fold(
      state.errors, rowContexts: state.rowContexts, valid: holes ? state.valid : [], range, &symbols, &contexts,
      &counts,
      &plain)
  }

  private static func fold(
    _ errors: ContiguousArray<Int32>, rowContexts: ContiguousArray<UInt8>, valid: ContiguousArray<UInt8>,
    _ range: Range<Int>, _ symbols: inout ContiguousArray<UInt8>, _ contexts: inout ContiguousArray<UInt8>,
    _ counts: inout ContiguousArray<UInt32>, _ plain: inout BitWriter
  ) {
    let contextTable = DepthContexts.table
    let table = contextTable.span
    let classTable = ResidualSymbols.classOfSymbol
    let classes = classTable.span
    let errors = errors.span.extracting(1..<range.count + 1)
    let rowContexts = rowContexts.span
    let hasHoles = !valid.isEmpty
    let holes = valid.span.extracting(hasHoles ? range : 0..<0)
    var allSymbols = symbols.mutableSpan
    var symbols = allSymbols._mutatingExtracting(range)
    var allContexts = contexts.mutableSpan
    var contexts = allContexts._mutatingExtracting(range)
    var counts = counts.mutableSpan
    var left = ResidualSymbols.classOfZero
    for x in 0..<errors.count {
      if hasHoles, holes[x] == 0 { continue }
      let folded = ResidualSymbols.fold(errors[x])
      var symbol = UInt8(truncatingIfNeeded: folded)
      if folded >= ResidualSymbols.single {
        let large = ResidualSymbols.large(folded)
        symbol = large.symbol
        plain.write(folded &>> 1 & ((1 &<< UInt32(large.bits)) &- 1), large.bits)
      }
      let context = table[Int(rowContexts[x] &+ left)]
      left = classes[Int(symbol)]
      symbols[x] = symbol
      contexts[x] = context
      counts[Int(context) &* ResidualSymbols.count &+ Int(symbol)] &+= 1
    }
  }

  /// Codes all symbols, last first; returns where the words begin and the two states to start decoding with.
  private mutating func code(holes: Bool) -> (first: Int, states: [UInt32]) {
    ContextCoder.entries(of: tables, into: &entries)
    var first = words.count
    var upperState = ContextCoder.lowest
    var lowerState = ContextCoder.lowest
    let (plan, width) = (state.plan, width)
    let (allEntries, allSymbols, allContexts, allValid) = (entries, symbols, contexts, state.valid)
    let entries = allEntries.span
    let symbols = allSymbols.span
    let contexts = allContexts.span
    let valid = allValid.span
    var words = words.mutableSpan
    for step in stride(from: plan.steps, through: 0, by: -1) {
      let (upper, lower) = step == 0 ? (plan.middle, nil) : plan.rows(of: step)
      if let upper, let lower, !holes {
        let upperSymbols = symbols.extracting(upper * width..<(upper + 1) * width)
        let upperContexts = contexts.extracting(upper * width..<(upper + 1) * width)
        let lowerSymbols = symbols.extracting(lower * width..<(lower + 1) * width)
        let lowerContexts = contexts.extracting(lower * width..<(lower + 1) * width)
        for x in stride(from: width &- 1, through: 0, by: -1) {
          ContextCoder.encode(
            entries[Int(lowerContexts[x]) &* ResidualSymbols.count &+ Int(lowerSymbols[x])], &lowerState, &words, &first
          )
          ContextCoder.encode(
            entries[Int(upperContexts[x]) &* ResidualSymbols.count &+ Int(upperSymbols[x])], &upperState, &words, &first
          )
        }
        continue
      }
      for x in stride(from: width &- 1, through: 0, by: -1) {
        if let lower, upper != nil, !holes || valid[lower * width + x] != 0 {
          let place = lower * width + x
          ContextCoder.encode(
            entries[Int(contexts[place]) * ResidualSymbols.count + Int(symbols[place])], &lowerState, &words, &first)
        }
        if let single = upper ?? lower, !holes || valid[single * width + x] != 0 {
          let place = single * width + x
          ContextCoder.encode(
            entries[Int(contexts[place]) * ResidualSymbols.count + Int(symbols[place])], &upperState, &words, &first)
        }
      }
    }
    return (first, [upperState, lowerState])
  }
}
