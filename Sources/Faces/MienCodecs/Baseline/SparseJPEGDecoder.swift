import MienImaging

/// Samples JPEGs of the common kind (see ``BaselineHeader``).
///
/// All codes are parsed, but only the parts needed at full scale are converted to samples; the downscaled image is
/// accumulated from coefficients. Only one kind of undamaged file is supported: every other file is left to
/// libjpeg-turbo, which reports what is wrong with it.
struct SparseJPEGDecoder {
  private let header: BaselineHeader
  private let luma: BaselineChannel
  /// Cb and Cr; empty for an image without color.
  private let colors: [BaselineChannel]

  /// Returns `nil` for other kinds of files.
  init?(_ bytes: Span<UInt8>) {
    guard let header = BaselineHeader(bytes) else { return nil }
    self.header = header
    var channels: [BaselineChannel] = []
    for component in header.components {
      guard let first = header.firstCodes[component.firstCode], let other = header.otherCodes[component.otherCode],
        let table = header.steps[component.table]
      else { return nil }
      channels.append(
        BaselineChannel(
          across: component.across, down: component.down, first: first, other: other,
          steps: InverseDCT.steps(table)))
    }
    luma = channels[0]
    colors = Array(channels.dropFirst())
  }

  var width: Int { header.width }
  var height: Int { header.height }

  /// The decoder's position in the entropy-coded data, and the samples so far.
  private struct State {
    var reader: BitReader
    /// DC coefficients of the previous blocks, by component.
    var level: Int32 = 0
    var colorLevels: (Int32, Int32) = (0, 0)
    var unitsToRestart: Int
    var restarts: UInt8 = 0
    var tiles: TileOutput
    var colorTiles: (TileOutput, TileOutput)
    var blocks: ContiguousArray<UInt8>
    var tones = ContiguousArray<UInt8>(repeating: 0, count: 64)
  }

  /// Samples the image according to `sampling`; returns `nil` if the data is incomplete or damaged.
  ///
  /// - Parameter early: called with each tile as soon as its last row is decoded, before the rest of the data is
  ///   validated.
  func sample(
    _ bytes: Span<UInt8>, _ sampling: SamplingPlan, early: (YCbCrImage) -> Void = { _ in }
  ) -> SampledImage? {
    let (across, down) = (8 * luma.across, 8 * luma.down)
    let (columns, rows) = ((width + across - 1) / across, (height + down - 1) / down)
    guard sampling.factor >= DownscaleAccumulator.leastFactor else { return nil }
    var boxes = DownscaleAccumulator(
      width: width, height: height, sampling: sampling, blocks: columns * luma.across, lines: luma.down)
    let color = TileOutput(sampling, across: luma.across, down: luma.down, rows: rows)
    let whole = (columns: width / 8, rows: height / 8)
    let count = (whole.columns * whole.rows + sampling.blockPace - 1) / sampling.blockPace
    var state = State(
      reader: BitReader(at: header.dataStart), unitsToRestart: header.restartInterval,
      tiles: TileOutput(sampling, across: 1, down: 1, rows: rows * luma.down), colorTiles: (color, color),
      blocks: ContiguousArray(repeating: 0, count: 64 * count))
    let isSound = read(bytes, sampling, units: (columns, rows), into: &boxes, &state, early)
    guard isSound, state.reader.marker(bytes) == 0xD9 else { return nil }
    var image = SampledImage(width: width, height: height, sampling: sampling)
    image.hasColor = !colors.isEmpty
    image.tiles = sampling.corners.indices.map { tile($0, state) }
    image.coarse = boxes.plane()
    image.blocks = state.blocks
    image.lumaSteps = header.steps[header.components[0].table]
    return image
  }

  private func tile(_ number: Int, _ state: State) -> YCbCrImage {
    let luma = state.tiles.plane(number)
    guard !colors.isEmpty else { return YCbCrImage(luma: luma) }
    return YCbCrImage(
      luma: luma, blue: state.colorTiles.0.plane(number), red: state.colorTiles.1.plane(number))
  }

  private func read(
    _ bytes: Span<UInt8>, _ sampling: SamplingPlan, units: (columns: Int, rows: Int),
    into boxes: inout DownscaleAccumulator,
    _ state: inout State, _ early: (YCbCrImage) -> Void
  ) -> Bool {
    // At most four luma blocks and one color block.
    var values = ContiguousArray<Float>(repeating: 0, count: 5 * 64)
    var blocks = values.mutableSpan
    var lasts = SIMD4<Int>()
    // Contributions of luma blocks to boxes, by row of blocks in the MCU.
    var sums = ContiguousArray<DownscaleAccumulator.Lanes>(
      repeating: DownscaleAccumulator.Lanes(), count: 8 * luma.down)
    var lines = sums.mutableSpan
    let allWeights = boxes.weights
    let hasColor = colors.count == 2
    // Not used for an image without color.
    let (blue, red) = hasColor ? (colors[0], colors[1]) : (luma, luma)
    // By column of blocks: `true` if the block is sampled at full scale.
    let blocksPerRow = units.columns * luma.across
    var lumaMarks = ContiguousArray(repeating: false, count: blocksPerRow * luma.down)
    var colorMarks = ContiguousArray(repeating: false, count: units.columns)
    // By tile: the row of MCUs that contains its last pixels.
    let lastRows = sampling.corners.map { ($0.y + sampling.tileSize - 1) / (8 * luma.down) }
    for row in 0..<units.rows {
      // Padding bits cost as much time as data, so a truncated file is not decoded to its end.
      guard state.reader.missing <= 64 else { return false }
      mark(row, sampling, state, &lumaMarks, &colorMarks)
      let (lumaMarks, colorMarks) = (lumaMarks.span, colorMarks.span)
      for column in 0..<units.columns {
        guard passRestart(bytes, &state) else { return false }
        // Blocks are written after the whole MCU is read: loading vectors right after storing their elements is slow.
        for y in 0..<luma.down {
          var line = lines._mutatingExtracting(8 &* y..<8 &* y &+ 8)
          for x in 0..<luma.across {
            let (number, place) = (y &* luma.across &+ x, column &* luma.across &+ x)
            let weights = allWeights.span.extracting(boxes.weights(ofColumn: place))
            if lumaMarks[y &* blocksPerRow &+ place] {
              var block = blocks._mutatingExtracting(64 &* number..<64 &* number &+ 64)
              let last = luma.read(
                bytes, &state.reader, &state.level, into: &block, adding: weights, to: &line)
              guard last >= 0 else { return false }
              lasts[number] = last
            } else {
              guard luma.add(bytes, &state.reader, &state.level, weights, to: &line) else { return false }
            }
            if boxes.isLast(ofLanes: place) { boxes.add(&line, column: place, line: y) }
          }
        }
        if colorMarks[column] {
          var block = blocks._mutatingExtracting(256..<320)
          guard
            takeColor(
              blue, bytes, &state.reader, &state.colorLevels.0, &block, into: &state.colorTiles.0, &state.tones,
              column: column, row: row),
            takeColor(
              red, bytes, &state.reader, &state.colorLevels.1, &block, into: &state.colorTiles.1, &state.tones,
              column: column, row: row)
          else { return false }
        } else if hasColor {
          guard blue.skip(bytes, &state.reader, &state.colorLevels.0),
            red.skip(bytes, &state.reader, &state.colorLevels.1)
          else { return false }
        }
        for y in 0..<luma.down {
          for x in 0..<luma.across where lumaMarks[y &* blocksPerRow &+ column &* luma.across &+ x] {
            let number = y &* luma.across &+ x
            var block = blocks._mutatingExtracting(64 &* number..<64 &* number &+ 64)
            take(
              block.span, last: lasts[number],
              (column: column &* luma.across &+ x, row: row &* luma.down &+ y), sampling, &state)
            InverseDCT.clear(&block, last: lasts[number])
          }
        }
      }
      for y in 0..<luma.down { boxes.endRow(row &* luma.down &+ y, line: y) }
      for number in lastRows.indices where lastRows[number] == row { early(tile(number, state)) }
    }
    return true
  }

  /// Marks the blocks of a row of MCUs that are sampled at full scale.
  private func mark(
    _ row: Int, _ sampling: SamplingPlan, _ state: State, _ lumaMarks: inout ContiguousArray<Bool>,
    _ colorMarks: inout ContiguousArray<Bool>
  ) {
    for index in lumaMarks.indices { lumaMarks[index] = false }
    for index in colorMarks.indices { colorMarks[index] = false }
    var color = colorMarks.mutableSpan
    if !colors.isEmpty { state.colorTiles.0.mark(row: row, in: &color) }
    var marks = lumaMarks.mutableSpan
    let blocksPerRow = marks.count / luma.down
    for y in 0..<luma.down {
      var line = marks._mutatingExtracting(y * blocksPerRow..<(y + 1) * blocksPerRow)
      let blockRow = row * luma.down + y
      state.tiles.mark(row: blockRow, in: &line)
      guard blockRow < height / 8 else { continue }
      let before = blockRow * (width / 8) % sampling.blockPace
      for column in stride(
        from: before == 0 ? 0 : sampling.blockPace - before, to: width / 8, by: sampling.blockPace)
      {
        line[column] = true
      }
    }
  }

  /// Stores a full-scale luma block in a tile or among the single blocks.
  @inline(never)
  private func take(
    _ block: Span<Float>, last: Int, _ place: (column: Int, row: Int), _ sampling: SamplingPlan,
    _ state: inout State
  ) {
    do {
      var tones = state.tones.mutableSpan
      InverseDCT.write(block, last: last, into: &tones)
    }
    let tones = state.tones
    state.tiles.put(tones.span, column: place.column, row: place.row)
    guard place.column < width / 8, place.row < height / 8 else { return }
    let (number, rest) = (place.row * (width / 8) + place.column).quotientAndRemainder(dividingBy: sampling.blockPace)
    guard rest == 0 else { return }
    for index in 0..<64 { state.blocks[64 * number + index] = tones[index] }
  }

  @inline(never)
  private func takeColor(
    _ channel: BaselineChannel, _ bytes: Span<UInt8>, _ reader: inout BitReader, _ level: inout Int32,
    _ block: inout MutableSpan<Float>, into tiles: inout TileOutput, _ tones: inout ContiguousArray<UInt8>,
    column: Int, row: Int
  ) -> Bool {
    let last = channel.read(bytes, &reader, &level, into: &block)
    guard last >= 0 else { return false }
    var samples = tones.mutableSpan
    InverseDCT.write(block.span, last: last, into: &samples)
    tiles.put(samples.span, column: column, row: row)
    InverseDCT.clear(&block, last: last)
    return true
  }

  /// Consumes a restart marker if one is due; returns `false` if it is missing.
  @inline(__always)
  private func passRestart(_ bytes: Span<UInt8>, _ state: inout State) -> Bool {
    guard header.restartInterval > 0 else { return true }
    if state.unitsToRestart == 0 {
      guard state.reader.marker(bytes) == 0xD0 + state.restarts % 8 else { return false }
      state.reader.pass()
      state.level = 0
      state.colorLevels = (0, 0)
      state.restarts &+= 1
      state.unitsToRestart = header.restartInterval
    }
    state.unitsToRestart -= 1
    return true
  }
}
