/// Image descriptor of a GIF as stored in the file.
struct GIFImage: Sendable {
  /// Graphic control extension that precedes an image.
  struct Control: Sendable {
    /// Disposal method, 0…7: 2 restores to transparent, 3 restores the previous content, all others leave the image.
    var disposal = 0
    /// Delay in hundredths of a second.
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
  /// Byte range of the color table in the file; `nil` if there is none.
  let colors: Range<Int>?
  /// Minimum LZW code size as stored in the file.
  let bits: Int
  /// Byte range of the data sub-blocks.
  let data: Range<Int>
  let control: Control

  var delay: Int { control.delay }

  /// Returns the image row of the `index`th row in the data (GIF89a, appendix E).
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
