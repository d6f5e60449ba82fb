/// Decodes what ``DepthEncoder`` coded, in the same order, beginning with a key frame.
///
/// Any bytes end in a map or in a ``DepthCodecFault``; damage that leads to a wrong map is possible, so containers bring a
/// checksum.
public struct DepthDecoder: Sendable {
  private let width: Int
  private let height: Int
  private let micrometresPerStep: Int
  private var lattice = ValueLattice.every
  private var state: DepthState
  private var tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
  private var decoding = ContextCoder.DecodingTables(
    contexts: DepthContexts.count, classes: ResidualSymbols.classOfSymbol)
  private var otherContexts: ContiguousArray<UInt8>
  private var upperSymbols: ContiguousArray<UInt8>
  private var lowerSymbols: ContiguousArray<UInt8>
  private var words: ContiguousArray<UInt16> = []
  private var halves: [ValueLattice.Kind: ValueLattice] = [:]
  private var hasBefore = false

  /// - Parameters:
  ///   - width: 1…4096 pixels.
  ///   - height: 1…4096 pixels.
  ///   - micrometresPerStep: the encoder's.
  public init(width: Int, height: Int, micrometresPerStep: Int) {
    precondition((1...4096).contains(width) && (1...4096).contains(height) && micrometresPerStep > 0)
    self.width = width
    self.height = height
    self.micrometresPerStep = micrometresPerStep
    state = DepthState(width: width, height: height)
    otherContexts = state.rowContexts
    upperSymbols = state.rowContexts
    lowerSymbols = state.rowContexts
  }

  /// The map of `width * height` samples; after an error the next frame must be a key frame.
  public mutating func decode(_ bytes: ArraySlice<UInt8>) throws(DepthCodecFault) -> [UInt16] {
    var cursor = ByteCursor(bytes)
    let flags = try cursor.byte()
    guard flags & 0x08 == 0, flags < 0x40, let kind = ValueLattice.Kind(rawValue: flags >> 4) else {
      throw .damaged("the first byte")
    }
    let (isKey, hasHoles, usesBefore) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    guard isKey || hasBefore else { throw .needsKeyFrame }
    guard !isKey || !usesBefore, isKey || kind == lattice.kind else { throw .damaged("the first byte") }
    hasBefore = false
    if isKey {
      try readLattice(kind, &cursor)
      tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
    }
    swap(&state.image, &state.before)
    if hasHoles { try state.readHoles(&cursor) }
    let headCount = try cursor.variable()
    let plainCount = try cursor.variable()
    let codeCount = try cursor.variable()
    let states = (try cursor.word32(), try cursor.word32())
    guard headCount <= cursor.left / 4, plainCount <= cursor.left / 4 else { throw .cutShort }
    var head = BitReader(Self.words32(try cursor.take(headCount * 4)))
    var plain = BitReader(Self.words32(try cursor.take(plainCount * 4)))
    guard codeCount <= width * height, cursor.left == codeCount * 2 else { throw .damaged("a length") }
    words = Self.words16(try cursor.take(codeCount * 2), padding: 2 * width + 2)
    if usesBefore { try state.readModes(&head) }
    // After a key frame every table that is used comes anew.
    let changed = try tables.read(from: &head)
    decoding.build(tables, changed)

    var run = DecodingRun(count: codeCount, upper: states.0, lower: states.1)
    state.clearErrors()
    try decodeRows(state.plan.middle, nil, hasHoles, usesBefore, &run, &plain)
    state.otherErrors = state.errors
    for step in 1..<state.plan.steps + 1 {
      let (upper, lower) = state.plan.rows(of: step)
      if let upper {
        try decodeRows(upper, lower, hasHoles, usesBefore, &run, &plain)
      } else if let lower {
        state.swapLanes()
        try decodeRows(lower, nil, hasHoles, usesBefore, &run, &plain)
        state.swapLanes()
      }
    }
    guard run.upper == ContextCoder.lowest, run.lower == ContextCoder.lowest, run.next == codeCount else {
      throw .damaged("the end of the words")
    }
    guard let samples = state.samples(lattice, holes: hasHoles) else { throw .damaged("a value") }
    hasBefore = true
    return samples
  }

  private mutating func readLattice(_ kind: ValueLattice.Kind, _ cursor: inout ByteCursor) throws(DepthCodecFault) {
    switch kind {
    case .every: lattice = .every
    case .listed: lattice = try .readList(&cursor)
    case .roundedHalves, .cutHalves:
      if let known = halves[kind] {
        lattice = known
      } else {
        lattice = .halves(cut: kind == .cutHalves, micrometresPerStep: micrometresPerStep)
        halves[kind] = lattice
      }
    }
  }

  /// Decodes a row on the upper lane, and with `other` a second one beside it on the lower lane.
  private mutating func decodeRows(
    _ row: Int, _ other: Int?, _ holes: Bool, _ usesBefore: Bool, _ run: inout DecodingRun, _ plain: inout BitReader
  ) throws(DepthCodecFault) {
    guard run.next <= run.count else { throw .cutShort }
    state.writeRowContexts()
    guard let other else {
      decodeSingle(row, holes, &run)
      let symbols = upperSymbols
      return try state.rebuild(row, symbols.span, holes: holes, usesBefore: usesBefore, &plain)
    }
    swap(&state.rowContexts, &otherContexts)
    state.swapLanes()
    state.writeRowContexts()
    swap(&state.rowContexts, &otherContexts)
    state.swapLanes()
    decodePair(row, other, holes: holes, &run)
    let symbols = (upperSymbols, lowerSymbols)
    try state.rebuild(row, symbols.0.span, holes: holes, usesBefore: usesBefore, &plain)
    state.swapLanes()
    try state.rebuild(other, symbols.1.span, holes: holes, usesBefore: usesBefore, &plain)
    state.swapLanes()
  }

  private mutating func decodeSingle(_ row: Int, _ holes: Bool, _ run: inout DecodingRun) {
    let width = width
    let range = state.range(of: row)
    let contextTable = DepthContexts.placeOfTable
    let table = contextTable.span
    let (decoding, allContexts, allValid, allWords) = (decoding, state.rowContexts, state.valid, words)
    let entries = decoding.entries.span
    let rowContexts = allContexts.span
    let valid = allValid.span.extracting(range)
    var symbols = upperSymbols.mutableSpan
    let words = allWords.span
    let start = (run.next, run.upper)
    var (next, upper) = start
    var left = UInt32(ResidualSymbols.classOfZero)
    for x in 0..<width where !holes || valid[x] != 0 {
      symbols[x] = ContextCoder.decode(
        rowContext: rowContexts[x], &left, &upper, contexts: table, entries: entries, words: words,
        &next)
    }
    (run.next, run.upper) = (next, upper)
  }

  private mutating func decodePair(_ row: Int, _ other: Int, holes: Bool, _ run: inout DecodingRun) {
    let valid = holes ? (state.valid, state.range(of: row), state.range(of: other)) : ([], 0..<0, 0..<0)
    Self.decodePair(
      decoding, words, (state.rowContexts, otherContexts), valid, &upperSymbols, &lowerSymbols, &run)
  }

  private static func decodePair(
    _ decoding: ContextCoder.DecodingTables, _ words: ContiguousArray<UInt16>,
    _ contexts: (upper: ContiguousArray<UInt8>, lower: ContiguousArray<UInt8>),
    _ valid: (map: ContiguousArray<UInt8>, upper: Range<Int>, lower: Range<Int>),
    _ upperSymbols: inout ContiguousArray<UInt8>, _ lowerSymbols: inout ContiguousArray<UInt8>,
    _ run: inout DecodingRun
  ) {
    let contextTable = DepthContexts.placeOfTable
    let table = contextTable.span
    let entries = decoding.entries.span
    let upperContexts = contexts.upper.span
    let lowerContexts = contexts.lower.span
    let upperValid = valid.map.span.extracting(valid.upper)
    let lowerValid = valid.map.span.extracting(valid.lower)
    let holes = !valid.map.isEmpty
    let words = words.span
    var upperSymbols = upperSymbols.mutableSpan
    var lowerSymbols = lowerSymbols.mutableSpan
    var next = run.next
    var (upper, lower) = (run.upper, run.lower)
    var (upperLeft, lowerLeft) = (UInt32(ResidualSymbols.classOfZero), UInt32(ResidualSymbols.classOfZero))
    for x in 0..<upperContexts.count {
      if !holes || upperValid[x] != 0 {
        upperSymbols[x] = ContextCoder.decode(
          rowContext: upperContexts[x], &upperLeft, &upper, contexts: table, entries: entries,
          words: words, &next)
      }
      if !holes || lowerValid[x] != 0 {
        lowerSymbols[x] = ContextCoder.decode(
          rowContext: lowerContexts[x], &lowerLeft, &lower, contexts: table, entries: entries,
          words: words, &next)
      }
    }
    (run.upper, run.lower) = (upper, lower)
    run.next = next
  }

  private static func words32(_ bytes: ArraySlice<UInt8>) -> ContiguousArray<UInt32> {
    var words: ContiguousArray<UInt32> = []
    words.reserveCapacity(bytes.count / 4)
    for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 4) {
      words.append(
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
          | UInt32(bytes[place + 3]) << 24)
    }
    return words
  }

  /// `padding` words of zero follow, so that a row of damaged symbols cannot run over the end.
  private static func words16(_ bytes: ArraySlice<UInt8>, padding: Int) -> ContiguousArray<UInt16> {
    let count = bytes.count / 2
    var words = ContiguousArray<UInt16>(repeating: 0, count: count + padding)
    let little = ContiguousArray(bytes)
    let input = little.span
    var output = words.mutableSpan
    for index in 0..<count { output[index] = UInt16(input[2 * index]) | UInt16(input[2 * index + 1]) &<< 8 }
    return words
  }
}

/// How far the decoding of a map has come.
private struct DecodingRun {
  /// How many of the words are the stream's own.
  let count: Int
  var next = 0
  var upper: UInt32
  var lower: UInt32

  init(count: Int, upper: UInt32, lower: UInt32) {
    self.count = count
    self.upper = upper
    self.lower = lower
  }
}
