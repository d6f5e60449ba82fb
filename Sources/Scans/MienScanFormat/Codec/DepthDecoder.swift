/// Decodes maps encoded by ``DepthEncoder``, in the same order, starting with a key frame.
///
/// Any input results in a map or in a ``DepthCodecError``. Damaged data can result in a wrong map, so containers add a
/// checksum.
public struct DepthDecoder: Sendable {
  private let width: Int
  private let height: Int
  private let micrometersPerStep: Int
  private var quantizer = ValueQuantizer.every
  private var state: DepthCodecState
  private var tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
  private var decoding = ContextCoder.DecodingTables()
  private var upper: ResidualRow
  private var lower: ResidualRow
  private var words: ContiguousArray<UInt16> = []
  private var halves: [ValueQuantizer.Kind: ValueQuantizer] = [:]
  private var hasBefore = false

  /// - Parameters:
  ///   - width: 1…4096 pixels.
  ///   - height: 1…4096 pixels.
  ///   - micrometersPerStep: the encoder's value.
  public init(width: Int, height: Int, micrometersPerStep: Int) {
    precondition((1...4096).contains(width) && (1...4096).contains(height) && micrometersPerStep > 0)
    self.width = width
    self.height = height
    self.micrometersPerStep = micrometersPerStep
    state = DepthCodecState(width: width, height: height)
    upper = ResidualRow(width: width)
    lower = upper
  }

  /// Returns the map of `width * height` samples; after an error, the next frame must be a key frame.
  public mutating func decode(_ bytes: ArraySlice<UInt8>) throws(DepthCodecError) -> [UInt16] {
    var cursor = LittleEndianReader(bytes)
    let flags = try cursor.byte()
    guard flags & 0x08 == 0, flags < 0x40, let kind = ValueQuantizer.Kind(rawValue: flags >> 4) else {
      throw .damaged("the first byte")
    }
    let (isKey, hasHoles, usesBefore) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    guard isKey || hasBefore else { throw .needsKeyFrame }
    guard !isKey || !usesBefore, isKey || kind == quantizer.kind else { throw .damaged("the first byte") }
    hasBefore = false
    if isKey {
      try readQuantizer(kind, &cursor)
      tables = FrequencyTables(contexts: DepthContexts.count, symbols: ResidualSymbols.count)
    }
    swap(&state.image, &state.before)
    if hasHoles { try state.readHoles(&cursor) }
    let headCount = try cursor.variable()
    let plainCount = try cursor.variable()
    let codeCount = try cursor.variable()
    let states = (try cursor.word32(), try cursor.word32())
    guard headCount <= cursor.left / 4, plainCount <= cursor.left / 4 else { throw .cutShort }
    var head = BitReader(Self.words(try cursor.take(headCount * 4), padding: 4), count: headCount)
    // A row has at most 20 bits per sample.
    var plain = BitReader(Self.words(try cursor.take(plainCount * 4), padding: width + 4), count: plainCount)
    guard codeCount <= width * height, cursor.left == codeCount * 2 else { throw .damaged("a length") }
    words = Self.words(try cursor.take(codeCount * 2), padding: 2 * width + 2)
    if usesBefore { try state.readModes(&head) }
    // After a key frame, every table in use is transmitted anew.
    let changed = try tables.read(from: &head)
    decoding.build(tables, isKey ? .max : changed)

    var run = DecodingProgress(count: codeCount, upper: states.0, lower: states.1)
    upper.clear()
    try decodeRow(state.plan.middle, hasHoles, usesBefore, &run, &plain)
    lower = upper
    for step in 1..<state.plan.steps + 1 {
      switch state.plan.rows(of: step) {
      case (let above?, let below?): try decodeRows(above, below, hasHoles, usesBefore, &run, &plain)
      case (let above?, nil): try decodeRow(above, hasHoles, usesBefore, &run, &plain)
      case (nil, let below?):
        swap(&upper, &lower)
        try decodeRow(below, hasHoles, usesBefore, &run, &plain)
        swap(&upper, &lower)
      case (nil, nil): break
      }
    }
    guard run.upper == ContextCoder.lowest, run.lower == ContextCoder.lowest, run.next == codeCount else {
      throw .damaged("the end of the words")
    }
    guard let samples = state.samples(quantizer, holes: hasHoles) else { throw .damaged("a value") }
    hasBefore = true
    return samples
  }

  /// Discards the previous frame: the next one must be a key frame.
  public mutating func remove() { hasBefore = false }

  private mutating func readQuantizer(_ kind: ValueQuantizer.Kind, _ cursor: inout LittleEndianReader)
    throws(DepthCodecError)
  {
    switch kind {
    case .every: quantizer = .every
    case .listed: quantizer = try .readList(&cursor)
    case .roundedHalves, .cutHalves:
      if let known = halves[kind] {
        quantizer = known
      } else {
        quantizer = .halves(cut: kind == .cutHalves, micrometersPerStep: micrometersPerStep)
        halves[kind] = quantizer
      }
    }
  }

  /// Decodes a single row with the upper stream's state.
  private mutating func decodeRow(
    _ row: Int, _ holes: Bool, _ usesBefore: Bool, _ run: inout DecodingProgress, _ plain: inout BitReader
  ) throws(DepthCodecError) {
    guard run.next <= run.count else { throw .cutShort }
    decodeSingle(row, holes, &run)
    try finish(row, holes, usesBefore, &plain)
  }

  /// Decodes two rows in parallel.
  private mutating func decodeRows(
    _ above: Int, _ below: Int, _ holes: Bool, _ usesBefore: Bool, _ run: inout DecodingProgress,
    _ plain: inout BitReader
  ) throws(DepthCodecError) {
    guard run.next <= run.count else { throw .cutShort }
    upper.turnContextsToSymbols()
    lower.turnContextsToSymbols()
    if holes {
      Self.decodePair(
        decoding, words, &upper.symbols, &lower.symbols, width: width, valid: state.valid,
        at: (above * width, below * width), &run)
    } else {
      Self.decodePair(decoding, words, &upper.symbols, &lower.symbols, width: width, &run)
    }
    try finish(above, holes, usesBefore, &plain)
    swap(&upper, &lower)
    try finish(below, holes, usesBefore, &plain)
    swap(&upper, &lower)
  }

  /// Reconstructs a row of the map from the symbols in `upper`.
  private mutating func finish(
    _ row: Int, _ holes: Bool, _ usesBefore: Bool, _ plain: inout BitReader
  ) throws(DepthCodecError) {
    try upper.unfold(&plain)
    upper.writeContexts()
    state.rebuild(row, upper.errors, holes: holes, usesBefore: usesBefore)
  }

  private mutating func decodeSingle(_ row: Int, _ holes: Bool, _ run: inout DecodingProgress) {
    upper.turnContextsToSymbols()
    let (allWords, valid, width) = (words, state.valid, width)
    let (table, decoding) = (DepthContexts.places, decoding)
    let contexts = table.span.extracting(0..<65536)
    let entries = decoding.entries.span.extracting(0..<65536)
    let words = allWords.span
    var symbols = upper.symbols.mutableSpan
    var (next, coderState) = (run.next, run.upper)
    var left = UInt32.zero
    for x in 0..<width {
      symbols[x] =
        holes && valid[row * width + x] == 0
        ? 0
        : ContextCoder.decode(
          rowContext: symbols[x], &left, &coderState, contexts: contexts, entries: entries, words: words, &next)
    }
    (run.next, run.upper) = (next, coderState)
  }

  private static func decodePair(
    _ decoding: ContextCoder.DecodingTables, _ words: ContiguousArray<UInt16>,
    _ upperSymbols: inout ContiguousArray<UInt8>, _ lowerSymbols: inout ContiguousArray<UInt8>, width: Int,
    _ run: inout DecodingProgress
  ) {
    let table = DepthContexts.places
    let contexts = table.span.extracting(0..<65536)
    let entries = decoding.entries.span.extracting(0..<65536)
    let words = words.span
    var allUpper = upperSymbols.mutableSpan
    var allLower = lowerSymbols.mutableSpan
    var upperSymbols = allUpper._mutatingExtracting(0..<width)
    var lowerSymbols = allLower._mutatingExtracting(0..<width)
    var next = run.next
    var (upper, lower) = (run.upper, run.lower)
    var (upperLeft, lowerLeft) = (UInt32.zero, UInt32.zero)
    for x in 0..<width {
      upperSymbols[x] = ContextCoder.decode(
        rowContext: upperSymbols[x], &upperLeft, &upper, contexts: contexts, entries: entries, words: words, &next)
      lowerSymbols[x] = ContextCoder.decode(
        rowContext: lowerSymbols[x], &lowerLeft, &lower, contexts: contexts, entries: entries, words: words, &next)
    }
    run = DecodingProgress(count: run.count, next: next, upper: upper, lower: lower)
  }

  /// Decodes two rows of a map with holes, for which no symbols are coded; `rows` are their offsets in `valid`.
  private static func decodePair(
    _ decoding: ContextCoder.DecodingTables, _ words: ContiguousArray<UInt16>,
    _ upperSymbols: inout ContiguousArray<UInt8>, _ lowerSymbols: inout ContiguousArray<UInt8>, width: Int,
    valid: ContiguousArray<UInt8>, at rows: (upper: Int, lower: Int), _ run: inout DecodingProgress
  ) {
    let table = DepthContexts.places
    let contexts = table.span.extracting(0..<65536)
    let entries = decoding.entries.span.extracting(0..<65536)
    let words = words.span
    var (upperLeft, lowerLeft) = (UInt32.zero, UInt32.zero)
    for x in 0..<width {
      upperSymbols[x] =
        valid[rows.upper + x] == 0
        ? 0
        : ContextCoder.decode(
          rowContext: upperSymbols[x], &upperLeft, &run.upper, contexts: contexts, entries: entries, words: words,
          &run.next)
      lowerSymbols[x] =
        valid[rows.lower + x] == 0
        ? 0
        : ContextCoder.decode(
          rowContext: lowerSymbols[x], &lowerLeft, &run.lower, contexts: contexts, entries: entries, words: words,
          &run.next)
    }
  }

  /// Returns the little-endian words of `bytes`, followed by `padding` zero words, so that a row of damaged symbols
  /// cannot read out of bounds.
  @inline(__always) private static func words<Word: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, padding: Int
  ) -> ContiguousArray<Word> {
    let size = Word.bitWidth / 8
    let count = bytes.count / size
    var words = ContiguousArray<Word>(repeating: 0, count: count + padding)
    let little = ContiguousArray(bytes)
    let input = little.span
    var output = words.mutableSpan
    for index in 0..<count {
      var word: Word = 0
      for place in 0..<size { word |= Word(input[size &* index &+ place]) &<< Word(8 &* place) }
      output[index] = word
    }
    return words
  }
}

/// Progress of decoding a map.
private struct DecodingProgress {
  /// Number of words that belong to the stream.
  let count: Int
  var next = 0
  var upper: UInt32
  var lower: UInt32
}

/// Reason why encoded depth or confidence cannot be decoded.
public enum DepthCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data ends before the map is complete.
  case cutShort
  /// A byte has a value that no encoder writes; the associated value names the part.
  case damaged(String)
  /// A delta frame without its preceding frame.
  case needsKeyFrame

  public var description: String {
    switch self {
    case .cutShort: "the encoded map is truncated"
    case .damaged(let what): "the encoded map is damaged: \(what)"
    case .needsKeyFrame: "the encoded map depends on a frame that was not decoded"
    }
  }
}
