internal import MienModel

/// Reads a bundle, whole or cut off, record by record.
///
/// Frames have the numbers that their writer gave them; where records are damaged some are missing, and ``faults`` names
/// the places.
public struct ScanReader: Sendable {
  public let header: ScanHeader
  /// How many frames there are, lost ones with them.
  public let count: Int
  public let pictureCount: Int
  /// True when the bundle was finished: it has an index. A scan that was cut off has none.
  public let isFinished: Bool
  /// The damaged records that were met while the index was rebuilt.
  public let faults: [ScanError]
  /// Up to here records are whole and sound: where writing can go on.
  public let wholeLength: Int
  private let bytes: any ScanBytes
  let records: [Record]
  /// The record of each frame and picture number; nil when it is lost.
  private let frames: [Int?]
  private let pictures: [Int?]

  /// A record's place.
  struct Record: Sendable {
    enum Kind: Sendable {
      case frame, keyFrame, picture

      var code: UInt8 { self == .frame ? 0 : self == .keyFrame ? 1 : 2 }
    }
    let kind: Kind
    let number: Int
    let offset: Int
    /// Of the payload.
    let length: Int
  }

  /// - Throws: ``ScanError``: `notAScan`, `unsupported` and `damaged` for headers; damage behind the header shows in
  ///   ``faults`` and when a frame is asked for.
  public init(_ bytes: [UInt8]) throws(ScanError) { try self.init(MemoryBytes(bytes)) }

  /// The same from bytes that are fetched as they are needed, never more than a record of them.
  ///
  /// - Throws: ``ScanError`` as above.
  public init(_ bytes: any ScanBytes) throws(ScanError) {
    let (header, start) = try Self.header(bytes.bytes(at: 0, count: 23 + 255 + 4))
    self.header = header
    self.bytes = bytes
    if let (records, end) = Self.index(bytes, from: start) {
      self.records = records
      isFinished = true
      faults = []
      wholeLength = end
    } else {
      let walk = ScanWalk(bytes, from: start)
      records = walk.records
      isFinished = false
      faults = walk.faults
      wholeLength = walk.wholeLength
    }
    frames = Self.places(of: records) { $0.kind != .picture }
    pictures = Self.places(of: records) { $0.kind == .picture }
    count = frames.count
    pictureCount = pictures.count
  }

  /// A cursor before the first frame.
  public var cursor: ScanCursor { ScanCursor(self) }

  /// One frame. Going through all of them is faster with a ``cursor``.
  ///
  /// - Throws: ``ScanError``: `missing` when it is lost or there are not so many, `damaged` with its number and place.
  public func frame(at number: Int) throws(ScanError) -> ScanFrame {
    var cursor = cursor
    return try cursor.frame(at: number)
  }

  /// A picture.
  ///
  /// - Throws: ``ScanError``: `missing` or `damaged`.
  public func picture(at number: Int) throws(ScanError) -> ScanPicture {
    guard pictures.indices.contains(number), let place = pictures[number] else {
      throw ScanError(.missing, "there is no picture \(number)")
    }
    let record = records[place]
    var fields = ScanFields(try payload(of: record, frame: nil), record: record, frame: nil)
    let role = ScanFormat.value(of: try fields.byte(), in: ScanFormat.pictureRoles)
    let flags = try fields.byte()
    guard let role, flags < 8, try fields.word16() == 0 else { throw fields.damaged("a picture's kind") }
    let at = flags & 4 == 0 ? nil : Instant(nanoseconds: try fields.integer64())
    let intrinsics = flags & 2 == 0 ? nil : try fields.intrinsics()
    let pose = flags & 1 == 0 ? nil : try fields.pose()
    guard
      let picture = ScanPicture(
        role: role, bytes: Array(try fields.rest()), pose: pose, intrinsics: intrinsics, at: at)
    else { throw fields.damaged("a picture") }
    return picture
  }

  func record(ofFrame number: Int) throws(ScanError) -> Record {
    guard frames.indices.contains(number) else {
      throw ScanError(.missing, "there are \(count) frames", frame: number)
    }
    guard let place = frames[number] else { throw ScanError(.missing, "the frame is lost", frame: number) }
    return records[place]
  }

  /// A record's payload, once its checksum was found right.
  func payload(of record: Record, frame: Int?) throws(ScanError) -> ArraySlice<UInt8> {
    guard ScanWalk.checks(bytes, record.offset, record.length) else {
      throw ScanError(.damaged, "the record's checksum does not fit its bytes", byte: record.offset, frame: frame)
    }
    let payload = bytes.bytes(at: record.offset + ScanFormat.headLength, count: record.length)
    guard payload.count == record.length else {
      throw ScanError(.damaged, "the record cannot be read any more", byte: record.offset, frame: frame)
    }
    return payload[...]
  }

  private static func header(_ bytes: [UInt8]) throws(ScanError) -> (ScanHeader, start: Int) {
    guard bytes.starts(with: ScanFormat.magic.prefix(bytes.count)), !bytes.isEmpty else {
      throw ScanError(.notAScan, "this is not a scan bundle", byte: 0)
    }
    let fixed = 23
    guard bytes.count >= fixed + 4 else { throw ScanError(.cutShort, "the header is cut off", byte: bytes.count) }
    let version = Int(bytes[8]) | Int(bytes[9]) << 8
    guard version == ScanFormat.version else {
      throw ScanError(.unsupported, "version \(version) of the scan bundle is not known", byte: 8)
    }
    let end = fixed + Int(bytes[22])
    guard bytes.count >= end + 4 else { throw ScanError(.cutShort, "the header is cut off", byte: bytes.count) }
    func little(_ place: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) } }
    guard UInt32(little(end, 4)) == CRC32.of(bytes[..<end]) else {
      throw ScanError(.damaged, "the header's checksum does not fit its bytes", byte: 0)
    }
    guard bytes[21] == 1 else { throw ScanError(.refused, "the scan's poses are left-handed", byte: 21) }
    guard let sensor = ScanFormat.value(of: bytes[18], in: ScanFormat.sensors),
      let world = ScanFormat.value(of: bytes[19], in: ScanFormat.worlds),
      let clock = ScanFormat.value(of: bytes[20], in: ScanFormat.clocks)
    else { throw ScanError(.unsupported, "a sensor, world or clock of the header is not known", byte: 18) }
    guard let device = String(validating: bytes[fixed..<end], as: UTF8.self),
      let header = ScanHeader(
        device: device, sensor: sensor, width: little(10, 2), height: little(12, 2), micrometresPerStep: little(14, 4),
        world: world, clock: clock)
    else { throw ScanError(.refused, "the header's sizes, unit or name are out of range", byte: 10) }
    return (header, end + 4)
  }

  /// The records by the index at the end; nil when there is none or it is not sound.
  private static func index(_ bytes: any ScanBytes, from start: Int) -> ([Record], end: Int)? {
    let trailer = bytes.count - ScanFormat.trailerLength
    guard trailer >= start else { return nil }
    let last = bytes.bytes(at: trailer, count: ScanFormat.trailerLength)
    guard last.count == ScanFormat.trailerLength, last[8...].elementsEqual(ScanFormat.end),
      let index = Int(exactly: little64(last[..<8])), index >= start, index <= trailer - ScanFormat.headLength,
      let head = ScanWalk.head(bytes, index, until: trailer), head.mark == .index,
      index + ScanFormat.headLength + head.length == trailer, head.length % 9 == 0,
      head.length / 9 <= ScanFormat.mostFrames + ScanFormat.mostPictures,
      ScanWalk.checks(bytes, index, head.length)
    else { return nil }
    let entries = bytes.bytes(at: index + ScanFormat.headLength, count: head.length)
    guard entries.count == head.length else { return nil }
    var records: [Record] = []
    var end = start
    var (frames, pictures) = (0, 0)
    for entry in stride(from: 0, to: entries.count, by: 9) {
      // Records follow one another without gaps, in bytes and in numbers, so that an index cannot point astray.
      guard little64(entries[entry..<entry + 8]) == UInt64(end), let head = ScanWalk.head(bytes, end, until: index),
        let kind = head.kind, kind.code == entries[entry + 8],
        head.number == (kind == .picture ? pictures : frames)
      else { return nil }
      if kind == .picture { pictures += 1 } else { frames += 1 }
      records.append(Record(kind: kind, number: head.number, offset: end, length: head.length))
      end += ScanFormat.headLength + head.length
    }
    return end == index ? (records, end) : nil
  }

  private static func little64(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// For each number the place of its record among all; the first of two with one number counts.
  private static func places(of records: [Record], where belongs: (Record) -> Bool) -> [Int?] {
    var places: [Int?] = []
    for (place, record) in records.enumerated() where belongs(record) {
      while places.count <= record.number { places.append(nil) }
      if places[record.number] == nil { places[record.number] = place }
    }
    return places
  }
}
