internal import MienCore
internal import MienArchive

/// Reads a complete or truncated bundle record by record.
///
/// Frames have the numbers assigned by their writer; those in damaged records are missing, and ``faults`` lists the
/// locations.
public struct ScanReader: Sendable {
  public let header: ScanHeader
  /// Number of frames, including lost ones.
  public let count: Int
  public let imageCount: Int
  /// `true` if the bundle was finished and has an index; a truncated scan has none.
  public let isFinished: Bool
  /// Damaged records found while rebuilding the index.
  public let faults: [ScanError]
  /// Length up to which all records are intact; writing can resume there.
  public let wholeLength: Int
  /// Source of the records.
  var bytes: any ByteSource
  let records: [Record]
  /// Record index by frame number and by image number; nil if the record is lost.
  private let frames: [Int?]
  private let images: [Int?]

  /// Location of a record.
  struct Record: Sendable {
    enum Kind: UInt8, Sendable { case frame, keyFrame, image }
    let kind: Kind
    let number: Int
    let offset: Int
    /// Length of the payload in bytes.
    let length: Int

    /// Byte range of the payload.
    var payload: Range<Int> { offset + ScanFormat.headLength..<offset + ScanFormat.headLength + length }

    /// Returns `true` if the record matches a header in these bytes.
    func begins(with bytes: [UInt8]) -> Bool {
      guard let head = RecordHeader(bytes, at: 0, left: ScanFormat.headLength + length) else { return false }
      return head.kind == kind && head.number == number && head.length == length
    }
  }

  /// - Throws: ``ScanError``: `notAScan`, `unsupported` and `damaged` for headers; damage after the header is reported
  ///   in ``faults`` and when reading a frame.
  public init(_ bytes: [UInt8]) throws(ScanError) { try self.init(InMemoryByteSource(bytes)) }

  /// Opens a bundle whose bytes are fetched on demand, never more than one record or the index at a time.
  ///
  /// - Throws: ``ScanError`` as above.
  public init(_ bytes: any ByteSource) throws(ScanError) {
    let (header, start) = try Self.header(bytes.bytes(at: 0, count: Self.longestHeader))
    var search = BundleRecordLocator(from: start, in: bytes.count)
    search.run(over: bytes)
    if let index = search.index,
      !index.records.allSatisfy({ $0.begins(with: bytes.bytes(at: $0.offset, count: RecordHeader.looked)) })
    {
      search.leaveIndex()
      search.run(over: bytes)
    }
    self.init(header, search, bytes)
  }

  /// Creates a reader for records that have been located. A record that does not match its index entry is reported as
  /// damaged when it is read.
  package init(_ header: ScanHeader, _ search: BundleRecordLocator, _ bytes: any ByteSource) {
    self.header = header
    self.bytes = bytes
    isFinished = search.index != nil
    records = search.index?.records ?? search.walk.records
    faults = search.walk.faults
    wholeLength = search.index?.end ?? search.walk.wholeLength
    frames = Self.places(of: records) { $0.kind != .image }
    images = Self.places(of: records) { $0.kind == .image }
    count = frames.count
    imageCount = images.count
  }

  /// A cursor positioned before the first frame.
  public var cursor: BundleFrameCursor { BundleFrameCursor(self) }

  /// Returns one frame. Iterating over all frames is faster with a ``cursor``.
  ///
  /// - Throws: ``ScanError``: `missing` if the frame is lost or out of range, `damaged` with its number and location.
  public func frame(at number: Int) throws(ScanError) -> ScanFrame {
    var cursor = cursor
    return try cursor.frame(at: number)
  }

  /// Returns an image.
  ///
  /// - Throws: ``ScanError``: `missing` or `damaged`.
  public func image(at number: Int) throws(ScanError) -> ScanImage {
    guard images.indices.contains(number), let place = images[number] else {
      throw ScanError(.missing, "there is no picture \(number)")
    }
    let record = records[place]
    var fields = RecordFieldReader(try payload(of: record, frame: nil), record: record, frame: nil)
    let role = ScanFormat.value(of: try fields.byte(), in: ScanFormat.imageRoles)
    let flags = try fields.byte()
    guard let role, flags < 8, try fields.word16() == 0 else { throw fields.damaged("a picture's kind") }
    let at = flags & 4 == 0 ? nil : MonotonicInstant(nanoseconds: try fields.integer64())
    let intrinsics = flags & 2 == 0 ? nil : try fields.intrinsics()
    let pose = flags & 1 == 0 ? nil : try fields.pose()
    guard
      let image = ScanImage(
        role: role, bytes: Array(try fields.rest()), pose: pose, intrinsics: intrinsics, at: at)
    else { throw fields.damaged("a picture") }
    return image
  }

  func record(ofFrame number: Int) throws(ScanError) -> Record {
    guard frames.indices.contains(number) else {
      throw ScanError(.missing, "there are \(count) frames", frame: number)
    }
    guard let place = frames[number] else { throw ScanError(.missing, "the frame is lost", frame: number) }
    return records[place]
  }

  /// Returns the byte range of a frame's record.
  package func place(ofFrame number: Int) throws(ScanError) -> Range<Int> {
    let record = try record(ofFrame: number)
    return record.offset..<record.payload.upperBound
  }

  /// Returns a record's payload after verifying its checksum.
  func payload(of record: Record, frame: Int?) throws(ScanError) -> ArraySlice<UInt8> {
    let head = bytes.bytes(at: record.offset, count: RecordHeader.looked)
    guard record.begins(with: head) else {
      throw ScanError(.damaged, "the record is not the one expected here", byte: record.offset, frame: frame)
    }
    var check = RecordChecksumVerifier(head, at: 0, payload: record.payload)
    while let wanted = check.wanted { check.take(bytes.bytes(wanted)[...]) }
    guard check.isRight else {
      throw ScanError(.damaged, "the record's checksum does not match its bytes", byte: record.offset, frame: frame)
    }
    let payload = bytes.bytes(at: record.payload.lowerBound, count: record.length)
    guard payload.count == record.length else {
      throw ScanError(.damaged, "the record can no longer be read", byte: record.offset, frame: frame)
    }
    return payload[...]
  }

  /// Maximum length of a header in bytes.
  package static let longestHeader = 23 + 255 + 4

  /// Parses the header and returns it with the offset of the first record.
  ///
  /// - Parameter bytes: the first ``longestHeader`` bytes, or all if there are fewer.
  package static func header(_ bytes: [UInt8]) throws(ScanError) -> (ScanHeader, start: Int) {
    guard bytes.starts(with: ScanFormat.magic.prefix(bytes.count)), !bytes.isEmpty else {
      throw ScanError(.notAScan, "this is not a scan bundle", byte: 0)
    }
    let fixed = 23
    guard bytes.count >= fixed + 4 else { throw ScanError(.cutShort, "the header is cut off", byte: bytes.count) }
    let version = Int(bytes[8]) | Int(bytes[9]) << 8
    guard version == ScanFormat.version else {
      throw ScanError(.unsupported, "version \(version) of the scan bundle is not supported", byte: 8)
    }
    let end = fixed + Int(bytes[22])
    guard bytes.count >= end + 4 else { throw ScanError(.cutShort, "the header is cut off", byte: bytes.count) }
    func little(_ place: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) } }
    guard UInt32(little(end, 4)) == CRC32.of(bytes[..<end]) else {
      throw ScanError(.damaged, "the header's checksum does not match its bytes", byte: 0)
    }
    guard bytes[21] == 1 else { throw ScanError(.refused, "the scan's poses are left-handed", byte: 21) }
    guard let sensor = ScanFormat.value(of: bytes[18], in: ScanFormat.sensors),
      let world = ScanFormat.value(of: bytes[19], in: ScanFormat.worlds),
      let clock = ScanFormat.value(of: bytes[20], in: ScanFormat.clocks)
    else { throw ScanError(.unsupported, "the header has an unknown sensor, world or clock", byte: 18) }
    guard let device = String(validating: bytes[fixed..<end], as: UTF8.self),
      let header = ScanHeader(
        device: device, sensor: sensor, width: little(10, 2), height: little(12, 2), micrometersPerStep: little(14, 4),
        world: world, clock: clock)
    else { throw ScanError(.refused, "the header's sizes, unit or name are out of range", byte: 10) }
    return (header, end + 4)
  }

  /// Returns the record index for each number; the first of several records with the same number counts.
  private static func places(of records: [Record], where belongs: (Record) -> Bool) -> [Int?] {
    var places: [Int?] = []
    for (place, record) in records.enumerated() where belongs(record) {
      while places.count <= record.number { places.append(nil) }
      if places[record.number] == nil { places[record.number] = place }
    }
    return places
  }
}
