/// Finds a bundle's records without its index.
struct ScanWalk {
  private(set) var records: [ScanReader.Record] = []
  private(set) var faults: [ScanError] = []
  private(set) var wholeLength: Int

  init(_ bytes: [UInt8], from start: Int) {
    wholeLength = start
    var place = start
    var isWhole = true
    while place < bytes.count {
      if let head = Self.head(bytes, place, until: bytes.count), Self.checks(bytes, place, head.length) {
        let end = place + ScanFormat.headLength + head.length
        if let kind = Self.kind(of: head.mark, bytes, place, head.length) {
          records.append(ScanReader.Record(kind: kind, number: head.number, offset: place, length: head.length))
          if isWhole { wholeLength = end }
        } else {
          // The index of a file whose trailer is cut off or damaged; what follows it is the trailer.
          break
        }
        place = end
        continue
      }
      isWhole = false
      let next = Self.nextSound(bytes, after: place)
      // Which frame it would be; what begins as a picture is none.
      let isPicture = bytes[place...].prefix(4).elementsEqual(ScanFormat.Mark.picture.bytes)
      let frame = isPicture ? nil : (records.last { $0.kind != .picture }.map { $0.number + 1 } ?? Int.zero)
      faults.append(
        next == nil
          ? ScanError(.cutShort, "the scan ends in the middle of a record", byte: place, frame: frame)
          : ScanError(.damaged, "a record is damaged", byte: place, frame: frame))
      guard let next else { break }
      place = next
    }
  }

  /// The place of the next record that is whole and sound.
  private static func nextSound(_ bytes: [UInt8], after damaged: Int) -> Int? {
    var place = damaged + 1
    // A hostile file could be made of marks that all announce much; the checksums tried are bounded by this.
    var effort = 4 * bytes.count + 1 << 20
    while place + ScanFormat.headLength <= bytes.count {
      if let head = head(bytes, place, until: bytes.count) {
        effort -= head.length + ScanFormat.headLength
        if effort < 0 { return nil }
        if checks(bytes, place, head.length) { return place }
      }
      place += 1
    }
    return nil
  }

  /// A record's head; nil when it is not one, or when its payload would end behind `end`.
  static func head(
    _ bytes: [UInt8], _ place: Int, until end: Int
  ) -> (mark: ScanFormat.Mark, number: Int, length: Int)? {
    guard place + ScanFormat.headLength <= end, bytes[place] == 0x46 || bytes[place] == 0x50 || bytes[place] == 0x49,
      let mark = ScanFormat.Mark(bytes[place..<place + 4])
    else { return nil }
    let number = Int(word(bytes, place + 4))
    let length = Int(word(bytes, place + 8))
    guard length <= ScanFormat.largestPayload, length <= end - place - ScanFormat.headLength,
      number < (mark == .picture ? ScanFormat.mostPictures : ScanFormat.mostFrames)
    else { return nil }
    return (mark, number, length)
  }

  /// What kind of record it is; nil for an index and for a frame without a first byte.
  static func kind(
    of mark: ScanFormat.Mark, _ bytes: [UInt8], _ place: Int, _ length: Int
  ) -> ScanReader.Record.Kind? {
    switch mark {
    case .index: nil
    case .picture: .picture
    case .frame: length == 0 || bytes[place + ScanFormat.headLength] & 1 == 0 ? .frame : .keyFrame
    }
  }

  /// Whether a record's checksum is right; its head and payload lie within the bytes.
  static func checks(_ bytes: [UInt8], _ place: Int, _ length: Int) -> Bool {
    var sum = CRC32()
    sum.add(bytes[place..<place + 12])
    sum.add(bytes[place + ScanFormat.headLength..<place + ScanFormat.headLength + length])
    return sum.value == word(bytes, place + 12)
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
  }
}
