/// Finds a bundle's records without its index.
///
/// A hostile file could be made of heads that all announce much: what is looked at in vain is bounded for the file as a
/// whole, by a few times its length, and so are the places that are read around. Damage of real files stays far below: a
/// lost record is looked at about twice.
struct ScanWalk {
  private(set) var records: [ScanReader.Record] = []
  private(set) var faults: [ScanError] = []
  private(set) var wholeLength: Int
  private let bytes: any ScanBytes
  /// How many bytes may still be looked at in vain.
  private var effort: Int

  private static let mostRecords = ScanFormat.mostFrames + ScanFormat.mostPictures
  private static let mostFaults = 1000
  /// What asking for a record's bytes costs beside the bytes themselves, in bytes.
  private static let costOfAsking = 1024

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
    self.bytes = bytes
    wholeLength = start
    effort = 4 * bytes.count + 1 << 20
    var place = start
    // The number after the last frame's.
    var frame = 0
    while place < bytes.count {
      if let head = Self.head(bytes, place, until: bytes.count), isSound(head, at: place) {
        // The index of a file whose trailer is cut off or damaged; what follows it is the trailer.
        guard let kind = head.kind else { break }
        guard records.count < Self.mostRecords else {
          faults.append(ScanError(.tooMuch, "the scan has more than \(Self.mostRecords) records", byte: place))
          break
        }
        records.append(ScanReader.Record(kind: kind, number: head.number, offset: place, length: head.length))
        if kind != .picture { frame = head.number + 1 }
        place += ScanFormat.headLength + head.length
        if faults.isEmpty { wholeLength = place }
        continue
      }
      // What begins as a picture is no frame.
      let isPicture = bytes.bytes(at: place, count: 4) == ScanFormat.Mark.picture.bytes
      let lost = isPicture ? nil : frame
      let isLast = faults.count + 1 == Self.mostFaults
      guard !isLast, let next = nextSound(after: place) else {
        faults.append(
          isLast || effort <= 0
            ? ScanError(.damaged, "the scan is damaged in too many places to be read on", byte: place, frame: lost)
            : ScanError(.cutShort, "the scan ends in the middle of a record", byte: place, frame: lost))
        break
      }
      faults.append(ScanError(.damaged, "a record is damaged", byte: place, frame: lost))
      place = next
    }
  }

  /// Whether a record's checksum is right; one that would take more than may be looked at in vain counts as wrong.
  private mutating func isSound(_ head: Head, at place: Int) -> Bool {
    guard head.length <= effort else { return false }
    if Self.checks(bytes, place, head.length) { return true }
    effort -= head.length + Self.costOfAsking
    return false
  }

  /// Most bytes that are looked at together.
  private static let window = 1 << 18

  /// The place of the next record that is whole and sound; nil as well when ``effort`` is used up.
  private mutating func nextSound(after damaged: Int) -> Int? {
    var start = damaged + 1
    // The next one is mostly near.
    var window = 1 << 10
    while effort > 0, start + ScanFormat.headLength <= bytes.count {
      let part = bytes.bytes(at: start, count: window)
      // With a head comes the first byte of its payload, unless the bytes end with it.
      let isLast = start + part.count == bytes.count
      let places = part.count - ScanFormat.headLength + (isLast ? 1 : 0)
      guard places > 0 else { return nil }
      for place in 0..<places where Self.isMark(part[place]) {
        guard let head = Self.head(part, place, left: bytes.count - start - place),
          isSound(head, at: start + place)
        else { continue }
        effort -= place
        return start + place
      }
      effort -= places
      start += places
      window = min(4 * window, Self.window)
    }
    return nil
  }

  /// F, P or I.
  private static func isMark(_ byte: UInt8) -> Bool { byte == 0x46 || byte == 0x50 || byte == 0x49 }

  /// A record's head; nil when it is not one, or when its payload would end behind `end`.
  static func head(_ bytes: any ScanBytes, _ place: Int, until end: Int) -> Head? {
    guard place + ScanFormat.headLength <= end else { return nil }
    return head(bytes.bytes(at: place, count: ScanFormat.headLength + 1), 0, left: end - place)
  }

  /// The same in bytes that were fetched, when it lies in them; `left` are there from its place on.
  private static func head(_ bytes: [UInt8], _ place: Int, left: Int) -> Head? {
    guard place + ScanFormat.headLength <= bytes.count, let mark = ScanFormat.Mark(word(bytes, place)) else {
      return nil
    }
    let number = Int(word(bytes, place + 4))
    let length = Int(word(bytes, place + 8))
    guard length <= ScanFormat.largestPayload, length <= left - ScanFormat.headLength,
      number < (mark == .picture ? ScanFormat.mostPictures : ScanFormat.mostFrames)
    else { return nil }
    let payload = place + ScanFormat.headLength
    return Head(
      mark: mark, number: number, length: length, first: length > 0 && payload < bytes.count ? bytes[payload] : nil)
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
