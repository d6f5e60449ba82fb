/// Encodes a sequence of depth maps losslessly.
///
/// Use one encoder per scan: frames other than key frames are encoded as differences from the previous frame.
public struct DepthEncoder: Sendable {
  private let width: Int
  private let height: Int
  private let micrometersPerStep: Int
  private let halves: [ValueQuantizer]
  private var quantizer = ValueQuantizer.every
  private var state: DepthCodecState
  private var tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
  private var upper: ResidualRow
  private var lower: ResidualRow
  /// Per sample: its table index times ``ResidualSymbols/count``, plus its symbol.
  private var codes: ContiguousArray<UInt16>
  /// Occurrences of each code at even positions of a row, then at odd ones: the same code often repeats, and
  /// alternating between two counters avoids store-to-load stalls.
  private var counts: ContiguousArray<UInt32>
  private var entries: ContiguousArray<ContextCoder.Entry>
  private var words: ContiguousArray<UInt16>
  private var plain = BitWriter()
  private var hasBefore = false

  /// Power of two above all codes, so that masking a code keeps it in bounds.
  private static let codeCount = 2048

  /// - Parameters:
  ///   - width: 1…4096 pixels.
  ///   - height: 1…4096 pixels.
  ///   - micrometersPerStep: resolution of the samples; a wrong value costs size, not correctness.
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

  /// Encodes a map of `width * height` samples.
  ///
  /// - Parameters:
  ///   - samples: depths in steps of the header's unit, row by row; 0 is no depth.
  ///   - asKey: `true` to encode a key frame, which can be decoded without previous frames. The first map is always a
  ///     key frame, as is a map whose values do not fit the quantizer of the last key frame.
  /// - Returns: the encoded bytes, and whether they are a key frame.
  public mutating func encode(_ samples: [UInt16], asKey: Bool) -> (bytes: [UInt8], isKey: Bool) {
    precondition(samples.count == width * height)
    let samples = ContiguousArray(samples)
    var isKey = asKey || !hasBefore
    swap(&state.image, &state.before)
    let hasHoles = state.markHoles(samples)
    if isKey || !state.setNumbers(of: samples, quantizer) {
      isKey = true
      chooseQuantizer(samples)
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
    bytes.append((isKey ? 1 : 0) | (hasHoles ? 2 : 0) | (usesBefore ? 4 : 0) | quantizer.kind.rawValue << 4)
    if isKey, quantizer.kind == .listed { quantizer.write(to: &bytes) }
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

  /// Selects the first quantizer that represents all samples.
  private mutating func chooseQuantizer(_ samples: ContiguousArray<UInt16>) {
    for candidate in halves where state.setNumbers(of: samples, candidate) {
      quantizer = candidate
      return
    }
    quantizer = ValueQuantizer.listed(samples) ?? .every
    _ = state.setNumbers(of: samples, quantizer)
  }

  /// Predicts every row and stores symbols, contexts, counts and raw bits.
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

  /// Predicts a row in `upper`.
  private mutating func modelRow(_ row: Int, holes: Bool, usesBefore: Bool) {
    state.writeErrors(of: row, into: &upper.errors, usesBefore: usesBefore, holes: holes)
    upper.fold(&plain)
    Self.count(upper, valid: holes ? state.valid : [], state.range(of: row), &codes, &counts)
    upper.writeContexts()
  }

  private static func count(
    _ row: ResidualRow, valid: ContiguousArray<UInt8>, _ range: Range<Int>, _ codes: inout ContiguousArray<UInt16>,
    _ counts: inout ContiguousArray<UInt32>
  ) {
    let contextTable = DepthContexts.codes
    let table = contextTable.span.extracting(0..<2048)
    let symbols = row.symbols.span.extracting(0..<range.count)
    let rowContexts = row.contexts.span.extracting(0..<range.count)
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

  /// Encodes all symbols in reverse order; returns the index of the first word and the two initial decoder states.
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
