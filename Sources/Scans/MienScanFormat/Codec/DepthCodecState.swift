/// State shared by encoder and decoder while processing the rows of a map.
struct DepthCodecState: Sendable {
  let width: Int
  let height: Int
  let plan: RowOrder
  /// Quantizer indices of the map's values; holes repeat the value of their left neighbor.
  var image: ContiguousArray<Int32>
  /// The same for the previous frame.
  var before: ContiguousArray<Int32>
  /// 1 for samples with a measurement; meaningful only in maps with holes.
  var valid: ContiguousArray<UInt8>
  /// ``DepthPredictor`` of each block, row by row.
  var modes: ContiguousArray<UInt8>
  /// Current row: the value added to the left neighbor.
  var base: ContiguousArray<Int32>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    plan = RowOrder(height: height)
    image = ContiguousArray(repeating: 0, count: width * height)
    before = image
    valid = ContiguousArray(repeating: 1, count: width * height)
    let blocks = DepthPredictor.blocks(width: width, height: height)
    modes = ContiguousArray(repeating: 0, count: blocks.across * blocks.down)
    base = ContiguousArray(repeating: 0, count: width)
  }

  func range(of row: Int) -> Range<Int> { row * width..<(row + 1) * width }

  /// Computes `base` for a row of a map predicted from the previous frame.
  mutating func writeBase(of row: Int) {
    let range = range(of: row)
    let sourceRange = plan.source(of: row).map { self.range(of: $0) }
    let across = DepthPredictor.blocks(width: width, height: height).across
    let firstBlock = row / DepthPredictor.blockHeight * across
    // Local copies of read-only arrays avoid overlapping access to self during writes.
    let (image, before, modes) = (image, before, modes)
    let modeRow = modes.span.extracting(firstBlock..<firstBlock + across)
    let now = before.span.extracting(range)
    guard let sourceRange else {
      let zeros = ContiguousArray<Int32>(repeating: 0, count: width)
      var base = base.mutableSpan
      return DepthPredictor.write(zeros.span, before: now, sourceBefore: zeros.span, modes: modeRow, into: &base)
    }
    let source = image.span.extracting(sourceRange)
    let sourceBefore = before.span.extracting(sourceRange)
    var base = base.mutableSpan
    DepthPredictor.write(source, before: now, sourceBefore: sourceBefore, modes: modeRow, into: &base)
  }
}
