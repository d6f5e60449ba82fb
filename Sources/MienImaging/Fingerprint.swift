public import MienModel

extension Frame {
  /// The perceptual hash of the whole picture; nil when it is plain or has fewer than 16 pixels a side.
  ///
  /// Each cell is sampled on a grid of at most about 16 × 16 pixels.
  public var fingerprint: FrameFingerprint? {
    let side = FrameFingerprint.side
    guard width >= side, height >= side else { return nil }
    let span = pixels.span
    var luma: [Float] = []
    luma.reserveCapacity(side * side)
    for cell in 0..<side * side {
      let columns = cell % side * width / side..<(cell % side + 1) * width / side
      let rows = cell / side * height / side..<(cell / side + 1) * height / side
      let (columnStep, rowStep) = (max(1, columns.count / 16), max(1, rows.count / 16))
      var (red, green, blue, count): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      for y in stride(from: rows.lowerBound, to: rows.upperBound, by: rowStep) {
        let row = span.extracting(y * width..<(y + 1) * width)
        for x in stride(from: columns.lowerBound, to: columns.upperBound, by: columnStep) {
          let pixel = row[x]
          red += UInt32(pixel.red)
          green += UInt32(pixel.green)
          blue += UInt32(pixel.blue)
          count += 1
        }
      }
      luma.append((0.299 * Float(red) + 0.587 * Float(green) + 0.114 * Float(blue)) / Float(count))
    }
    return FrameFingerprint(luma: luma)
  }
}
