/// Codes depth maps without loss, a map after the other.
///
/// One encoder serves one scan: a frame that is not a key frame is told by what differs from the frame before.
public struct DepthEncoder: Sendable {
  private let width: Int
  private let height: Int
  private let micrometersPerStep: Int
  private let halves: [ValueQuantizer]
  private var lattice = ValueQuantizer.every
  private var state: DepthCodecState
  private var tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
  private var upper: ResidualRow
  private var lower: ResidualRow
  /// For each sample: its table's number times ``ResidualSymbols/count``, plus its symbol.
  private var codes: ContiguousArray<UInt16>
  /// How often each code comes at even places of its row, then at odd ones: a number that has just been written is slow to
  /// read again, and the same code often follows itself.
  private var counts: ContiguousArray<UInt32>
  private var entries: ContiguousArray<ContextCoder.Entry>
  private var words: ContiguousArray<UInt16>
  private var plain = BitWriter()
  private var hasBefore = false

  /// The next power of two above all codes, so that cutting one to its bits keeps it within a table.
  private static let codeCount = 2048

  /// - Parameters:
  ///   - width: 1…4096 pixels.
  ///   - height: 1…4096 pixels.
  ///   - micrometresPerStep: what a step of the samples is worth; a wrong one costs size, not correctness.
  public init(width: Int, height: Int, micrometersPerStep: Int) {
    precondition((1...4096).contains(width) && (1...4096).contains(height) && micrometersPerStep > 0)
    self.width = width
    self.height = height
    self.micrometersPerStep = micrometersPerStep
    halves = [false, true].map { .halves(cut: $0, micrometersPerStep: micrometersPerStep) }
    state = DepthCodecState(width: width, height: height)
    upper = ResidualRow(width: width)
    lower = upper
    codes = ContiguousArray(repeating: 0, count: width * height)
    counts = ContiguousArray(repeating: 0, count: 2 * Self.codeCount)
    entries = ContiguousArray(repeating: ContextCoder.Entry(), count: Self.codeCount)
    words = ContiguousArray(repeating: 0, count: width * height + 4)
  }

  /// Codes a map of `width * height` samples.
  ///
  /// - Parameter asKey: the map can be decoded without the ones before. The first map is a key frame in any case, and so
  ///   is one whose values do not fit those of the last key frame.
  /// - Returns: the bytes, and whether it became a key frame.
  public mutating func encode(_ samples: [UInt16], asKey: Bool) -> (bytes: [UInt8], isKey: Bool) {
    precondition(samples.count == width * height)
    let samples = ContiguousArray(samples)
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
    for code in 0..<Self.codeCount { counts[code] &+= counts[Self.codeCount + code] }
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
  private mutating func chooseLattice(_ samples: ContiguousArray<UInt16>) {
    for candidate in halves where state.setNumbers(of: samples, candidate) {
      lattice = candidate
      return
    }
    lattice = ValueQuantizer.listed(samples) ?? .every
    _ = state.setNumbers(of: samples, lattice)
  }

  /// Predicts every row; leaves symbols, contexts, counts and plain bits.
  private mutating func model(holes: Bool, usesBefore: Bool) {
    plain.reset()
    for place in counts.indices { counts[place] = 0 }
    upper.clear()
    modelRow(state.plan.middle, holes: holes, usesBefore: usesBefore)
    lower = upper
    for step in 1..<state.plan.steps + 1 {
      let rows = state.plan.rows(of: step)
      if let row = rows.upper { modelRow(row, holes: holes, usesBefore: usesBefore) }
      if let row = rows.lower {
        swap(&upper, &lower)
        modelRow(row, holes: holes, usesBefore: usesBefore)
        swap(&upper, &lower)
      }
    }
    plain.finish()
  }

  /// Predicts a row on the upper lane.
  private mutating func modelRow(_ row: Int, holes: Bool, usesBefore: Bool) {
    state.writeErrors(of: row, into: &upper.errors, usesBefore: usesBefore, holes: holes)
    upper.fold(&plain)
    Self.count(upper, valid: holes ? state.valid : [], state.range(of: row), &codes, &counts)
    upper.writeContexts()
  }

  private static func count(
    _ lane: ResidualRow, valid: ContiguousArray<UInt8>, _ range: Range<Int>, _ codes: inout ContiguousArray<UInt16>,
    _ counts: inout ContiguousArray<UInt32>
  ) {
    let contextTable = DepthContexts.codes
    let table = contextTable.span.extracting(0..<2048)
    let symbols = lane.symbols.span.extracting(0..<range.count)
    let rowContexts = lane.contexts.span.extracting(0..<range.count)
    let hasHoles = !valid.isEmpty
    let holes = valid.span.extracting(hasHoles ? range : 0..<0)
    var allCodes = codes.mutableSpan
    var codes = allCodes._mutatingExtracting(range)
    var allCounts = counts.mutableSpan
    var counts = allCounts._mutatingExtracting(0..<4096)
    var left: UInt8 = 0
    for x in 0..<symbols.count {
      if hasHoles, holes[x] == 0 { continue }
      let symbol = symbols[x]
      let code = table[(Int(rowContexts[x]) &<< 6 | Int(left)) & 2047] &+ UInt16(symbol)
      left = symbol
      codes[x] = code
      counts[(x & 1) &<< 11 | Int(code) & 2047] &+= 1
    }
  }

  /// Codes all symbols, last first; returns where the words begin and the two states to start decoding with.
  private mutating func code(holes: Bool) -> (first: Int, states: [UInt32]) {
    ContextCoder.entries(of: tables, into: &entries)
    var first = words.count
    var upperState = ContextCoder.lowest
    var lowerState = ContextCoder.lowest
    let (plan, width) = (state.plan, width)
    let (allEntries, allCodes, allValid) = (entries, codes, state.valid)
    let entries = allEntries.span.extracting(0..<2048)
    let codes = allCodes.span
    let valid = allValid.span
    var words = words.mutableSpan
    for step in stride(from: plan.steps, through: 0, by: -1) {
      let (upper, lower) = step == 0 ? (plan.middle, nil) : plan.rows(of: step)
      if let upper, let lower, !holes {
        let upperCodes = codes.extracting(upper * width..<(upper + 1) * width)
        let lowerCodes = codes.extracting(lower * width..<(lower + 1) * width)
        for x in stride(from: width &- 1, through: 0, by: -1) {
          ContextCoder.encode(entries[Int(lowerCodes[x]) & 2047], &lowerState, &words, &first)
          ContextCoder.encode(entries[Int(upperCodes[x]) & 2047], &upperState, &words, &first)
        }
        continue
      }
      for x in stride(from: width &- 1, through: 0, by: -1) {
        if let lower, upper != nil, !holes || valid[lower * width + x] != 0 {
          ContextCoder.encode(entries[Int(codes[lower * width + x])], &lowerState, &words, &first)
        }
        if let single = upper ?? lower, !holes || valid[single * width + x] != 0 {
          ContextCoder.encode(entries[Int(codes[single * width + x])], &upperState, &words, &first)
        }
      }
    }
    return (first, [upperState, lowerState])
  }
}
