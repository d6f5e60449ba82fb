/// Finds a bundle's records without its index.
struct ScanWalk {
  private(set) var records: [ScanReader.Record] = []
  private(set) var faults: [ScanError] = []
  private(set) var wholeLength: Int

  /// What stands before a record's payload.
  struct Head {
    let mark: ScanFormat.Mark
    let number: Int
    /// Of the payload.
    let length: Int
    /// The payload's first byte; nil when it has none.
    fileprivate let first: UInt8?

    /// What kind of record it is; nil for an index.
    var kind: ScanReader.Record.Kind? {
      switch mark {
      case .index: nil
      case .picture: .picture
      case .frame: first.map { $0 & 1 == 0 } ?? true ? .frame : .keyFrame
      }
    }
  }

  init(_ bytes: any ScanBytes, from start: Int) {
    wholeLength = start
    var place = start
    var isWhole = true
    while place < bytes.count {
      if let head = Self.head(bytes, place, until: bytes.count), Self.checks(bytes, place, head.length) {
        let end = place + ScanFormat.headLength + head.length
        // The index of a file whose trailer is cut off or damaged; what follows it is the trailer.
        guard let kind = head.kind else { break }
        records.append(ScanReader.Record(kind: kind, number: head.number, offset: place, length: head.length))
        if isWhole { wholeLength = end }
        place = end
        continue
      }
      isWhole = false
      let next = Self.nextSound(bytes, after: place)
      // Which frame it would be; what begins as a picture is none.
      let isPicture = bytes.bytes(at: place, count: 4) == ScanFormat.Mark.picture.bytes
      let frame = isPicture ? nil : (records.last { $0.kind != .picture }.map { $0.number + 1 } ?? Int.zero)
      faults.append(
        next == nil
          ? ScanError(.cutShort, "the scan ends in the middle of a record", byte: place, frame: frame)
          : ScanError(.damaged, "a record is damaged", byte: place, frame: frame))
      guard let next else { break }
      place = next
    }
  }

  /// Bytes that are looked at together.
  private static let window = 1 << 18

  /// The place of the next record that is whole and sound.
  private static func nextSound(_ bytes: any ScanBytes, after damaged: Int) -> Int? {
    // A hostile file could be made of marks that all announce much; the checksums tried are bounded by this.
    var effort = 4 * bytes.count + 1 << 20
    var start = damaged + 1
    while start + ScanFormat.headLength <= bytes.count {
      let part = bytes.bytes(at: start, count: window)
      for place in part.indices where isMark(part[place]) {
        guard let head = head(bytes, start + place, until: bytes.count) else { continue }
        effort -= head.length + ScanFormat.headLength
        if effort < 0 { return nil }
        if checks(bytes, start + place, head.length) { return start + place }
      }
      guard !part.isEmpty else { return nil }
      start += part.count
    }
    return nil
  }

  /// F, P or I.
  private static func isMark(_ byte: UInt8) -> Bool { byte == 0x46 || byte == 0x50 || byte == 0x49 }

  /// A record's head; nil when it is not one, or when its payload would end behind `end`.
  static func head(_ bytes: any ScanBytes, _ place: Int, until end: Int) -> Head? {
    guard place + ScanFormat.headLength <= end else { return nil }
    let head = bytes.bytes(at: place, count: ScanFormat.headLength + 1)
    guard head.count >= ScanFormat.headLength, isMark(head[0]), let mark = ScanFormat.Mark(head[..<4]) else {
      return nil
    }
    let number = Int(word(head, 4))
    let length = Int(word(head, 8))
    guard length <= ScanFormat.largestPayload, length <= end - place - ScanFormat.headLength,
      number < (mark == .picture ? ScanFormat.mostPictures : ScanFormat.mostFrames)
    else { return nil }
    return Head(mark: mark, number: number, length: length, first: length > 0 ? head.last : nil)
  }

  /// Whether a record's checksum is right; its head and payload lie within the bytes.
  static func checks(_ bytes: any ScanBytes, _ place: Int, _ length: Int) -> Bool {
    let head = bytes.bytes(at: place, count: ScanFormat.headLength)
    guard head.count == ScanFormat.headLength else { return false }
    var sum = CRC32()
    sum.add(head[..<12])
    var done = 0
    while done < length {
      let part = bytes.bytes(at: place + ScanFormat.headLength + done, count: min(window, length - done))
      guard !part.isEmpty else { return false }
      sum.add(part[...])
      done += part.count
    }
    return sum.value == word(head, 12)
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
  }
}
