/// Run-length coding of confidence levels, or raw bytes if runs would be longer.
enum ConfidenceCoding {
  static func write(_ levels: [UInt8]) -> (bytes: [UInt8], coding: ScanFormat.ConfidenceCoding) {
    var bytes: [UInt8] = []
    var level = levels[0]
    var run = 0
    for next in levels {
      if next != level {
        bytes.append(level)
        bytes.appendVariable(run)
        level = next
        run = 0
      }
      run += 1
    }
    bytes.append(level)
    bytes.appendVariable(run)
    return bytes.count < levels.count ? (bytes, .runs) : (levels, .plain)
  }

  static func read(
    _ bytes: ArraySlice<UInt8>, _ coding: ScanFormat.ConfidenceCoding, count: Int
  ) throws(DepthCodecError) -> [UInt8] {
    guard coding == .runs else {
      guard bytes.count == count else { throw .damaged("the length of the confidence") }
      return Array(bytes)
    }
    var cursor = LittleEndianReader(bytes)
    var levels: [UInt8] = []
    levels.reserveCapacity(count)
    while cursor.left > 0 {
      let level = try cursor.byte()
      let run = try cursor.variable()
      guard run > 0, run <= count - levels.count else { throw .damaged("a run of confidence") }
      levels.append(contentsOf: repeatElement(level, count: run))
    }
    guard levels.count == count else { throw .cutShort }
    return levels
  }
}
