/// One picture of a GIF as the file describes it.
struct GIFImage: Sendable {
  /// What the block before a picture says.
  struct Control: Sendable {
    /// 0…7; 2 = back to nothing, 3 = back to what was before, everything else = keep.
    var disposal = 0
    /// Hundredths of a second.
    var delay = 0
    var transparent: UInt8?

    init() {}

    init(_ block: [UInt8]) {
      disposal = Int(block[0] >> 2 & 7)
      delay = Int(block[1]) | Int(block[2]) << 8
      transparent = block[0] & 1 == 1 ? block[3] : nil
    }
  }

  let x: Int
  let y: Int
  let width: Int
  let height: Int
  let isInterlaced: Bool
  /// Where the colours are in the file; nil when there are none.
  let colors: Range<Int>?
  /// The least size of a code, as the file says it.
  let bits: Int
  /// The blocks of data.
  let data: Range<Int>
  let control: Control

  var delay: Int { control.delay }

  /// The row on the picture of the row that comes as the `index`th (GIF89a, appendix E).
  func row(_ index: Int) -> Int {
    guard isInterlaced else { return index }
    let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
    var rest = index
    for (start, step) in passes {
      let rows = height > start ? (height - start + step - 1) / step : 0
      if rest < rows { return start + rest * step }
      rest -= rows
    }
    return index
  }
}
