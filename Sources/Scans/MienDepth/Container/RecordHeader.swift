/// What stands before a record's payload.
struct RecordHeader: Sendable {
  let mark: ScanFormat.Mark
  let number: Int
  /// Of the payload.
  let length: Int
  /// The payload's first byte; nil when it has none.
  private let first: UInt8?

  /// How many bytes are looked at: those of the head, and the first of its payload.
  static let looked = ScanFormat.headLength + 1

  /// Refuses (nil) what is no head, announces more than a record may have, or has a payload that ends behind the bytes.
  ///
  /// - Parameter left: how many bytes there are from `place` on, be they among these or not.
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

  /// What kind of record it is; nil for an index.
  var kind: ScanReader.Record.Kind? {
    switch mark {
    case .index: nil
    case .image: .image
    case .frame: first.map { $0 & 1 == 0 } ?? true ? .frame : .keyFrame
    }
  }
}
