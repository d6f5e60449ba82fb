/// Header that precedes a record's payload.
struct RecordHeader: Sendable {
  let mark: ScanFormat.Mark
  let number: Int
  /// Length of the payload in bytes.
  let length: Int
  /// First byte of the payload; nil if the payload is empty.
  private let first: UInt8?

  /// Number of bytes examined: the header and the first byte of its payload.
  static let looked = ScanFormat.headLength + 1

  /// Returns nil for data that is not a header, declares more than a record may have, or has a payload that exceeds the
  /// available bytes.
  ///
  /// - Parameter left: number of bytes from `place` on in the whole bundle, whether contained in `bytes` or not.
  init?(_ bytes: [UInt8], at place: Int, left: Int) {
    guard place + ScanFormat.headLength <= bytes.count, let mark = ScanFormat.Mark(bytes.little32(at: place)) else {
      return nil
    }
    let number = Int(bytes.little32(at: place + 4))
    let length = Int(bytes.little32(at: place + 8))
    guard length <= ScanFormat.largestPayload, length <= left - ScanFormat.headLength,
      number < (mark == .image ? ScanFormat.mostImages : ScanFormat.mostFrames)
    else { return nil }
    let payload = place + ScanFormat.headLength
    self.mark = mark
    self.number = number
    self.length = length
    first = length > 0 && payload < bytes.count ? bytes[payload] : nil
  }

  /// Kind of the record; nil for an index.
  var kind: ScanReader.Record.Kind? {
    switch mark {
    case .index: nil
    case .image: .image
    case .frame: first.map { $0 & 1 == 0 } ?? true ? .frame : .keyFrame
    }
  }
}
