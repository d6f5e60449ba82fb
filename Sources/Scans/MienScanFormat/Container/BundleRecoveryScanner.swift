/// Locates the records of a bundle without its index. The caller supplies the ``wanted`` bytes until it is nil.
///
/// A hostile file could consist of headers that all declare long payloads. The total work on bytes that yield no record
/// is therefore limited to a few times the file's length, and so is the number of positions where scanning resumes.
/// Damage in real files stays far below this limit: a lost record is examined about twice.
struct BundleRecoveryScanner: Sendable {
  private(set) var records: [ScanReader.Record] = []
  private(set) var faults: [ScanError] = []
  private(set) var wholeLength: Int
  /// Byte range needed next; nil when done.
  private(set) var wanted: Range<Int>?
  /// Size of the bundle in bytes.
  private let count: Int
  private var stage: Stage
  /// Number after that of the last frame.
  private var frame = 0
  /// Remaining budget, in bytes, for examining data that yields no record.
  private var effort: Int

  private static let mostRecords = ScanFormat.mostFrames + ScanFormat.mostImages
  private static let mostFaults = 1000
  /// Overhead of requesting a record's bytes, expressed in bytes.
  private static let requestCost = 1024

  private enum Stage: Sendable {
    /// Needs the header of the record expected at this offset.
    case record(at: Int)
    /// Needs a part of a payload.
    case check(Candidate)
    /// Needs bytes in which the next record may begin.
    case search(Search)
  }

  /// Potential record whose checksum is not verified yet.
  private struct Candidate: Sendable {
    let head: RecordHeader
    let place: Int
    var check: RecordChecksumVerifier
    /// Search that found the candidate; nil if it directly follows the previous record.
    let search: Search?

    /// - Parameters:
    ///   - bytes: data containing the header at `start`.
    ///   - place: offset of the header in the bundle.
    init(_ head: RecordHeader, in bytes: [UInt8], at start: Int, place: Int, search: Search?) {
      let payload = place + ScanFormat.headLength
      self.head = head
      self.place = place
      self.search = search
      check = RecordChecksumVerifier(bytes, at: start, payload: payload..<payload + head.length)
    }
  }

  /// Search for the next intact record after a damaged one.
  private struct Search: Sendable {
    /// Offset of the damaged record.
    let damaged: Int
    /// Number of the frame lost with it; nil if it is not a frame.
    let lost: Int?
    /// Offset of `part`.
    var start: Int
    /// Length of the next part; it starts small because the next record is usually near.
    var window = 1 << 10
    var part: [UInt8] = []
    /// Positions in `part` not examined yet.
    var places = 0..<0
  }

  init(from start: Int, in count: Int) {
    self.count = count
    wholeLength = start
    // A sparse file can claim a size that would overflow the multiplication.
    effort = 4 * min(count, 1 << 50) + 1 << 20
    stage = .record(at: start)
    expectRecord(at: start)
  }

  /// Accepts the ``wanted`` bytes; fewer if they can no longer be read.
  mutating func take(_ bytes: [UInt8]) {
    switch stage {
    case .record(let place):
      guard let head = RecordHeader(bytes, at: 0, left: count - place), head.length <= effort else {
        return lose(at: place, isImage: bytes.starts(with: ScanFormat.Mark.image.bytes))
      }
      check(Candidate(head, in: bytes, at: 0, place: place, search: nil))
    case .check(var candidate):
      candidate.check.take(bytes[...])
      check(candidate)
    case .search(var search):
      // A header needs the first byte of its payload as well, unless the data ends after it.
      let isLast = search.start + bytes.count == count
      let places = bytes.count - ScanFormat.headLength + (isLast ? 1 : 0)
      guard places > 0 else { return giveUp(search) }
      search.part = bytes
      search.places = 0..<places
      examine(search)
    }
  }

  private mutating func expectRecord(at place: Int) {
    stage = .record(at: place)
    wanted = place < count ? place..<min(place + RecordHeader.looked, count) : nil
  }

  private mutating func check(_ candidate: Candidate) {
    if let more = candidate.check.wanted {
      stage = .check(candidate)
      wanted = more
    } else if candidate.check.isRight {
      keep(candidate)
    } else {
      effort -= candidate.head.length + Self.requestCost
      if let search = candidate.search {
        examine(search)
      } else {
        lose(at: candidate.place, isImage: candidate.head.mark == .image)
      }
    }
  }

  private mutating func keep(_ candidate: Candidate) {
    let (head, place) = (candidate.head, candidate.place)
    if let search = candidate.search {
      // The record is read again as the one following the damaged region.
      effort -= place - search.start
      faults.append(ScanError(.damaged, "a record is damaged", byte: search.damaged, frame: search.lost))
      return expectRecord(at: place)
    }
    guard let kind = head.kind else {
      // Index of a file whose trailer is truncated or damaged; only the trailer follows it.
      wanted = nil
      return
    }
    guard records.count < Self.mostRecords else {
      faults.append(ScanError(.tooMuch, "the scan has more than \(Self.mostRecords) records", byte: place))
      wanted = nil
      return
    }
    records.append(ScanReader.Record(kind: kind, number: head.number, offset: place, length: head.length))
    if kind != .image { frame = head.number + 1 }
    let end = place + ScanFormat.headLength + head.length
    if faults.isEmpty { wholeLength = end }
    expectRecord(at: end)
  }

  private mutating func lose(at place: Int, isImage: Bool) {
    // A record that begins as an image is not a frame.
    let search = Search(damaged: place, lost: isImage ? nil : frame, start: place + 1)
    if faults.count + 1 == Self.mostFaults { giveUp(search) } else { seek(search) }
  }

  /// Requests the next part, unless ``effort`` is exhausted.
  private mutating func seek(_ search: Search) {
    guard effort > 0, search.start + ScanFormat.headLength <= count else { return giveUp(search) }
    stage = .search(search)
    wanted = search.start..<min(search.start + search.window, count)
  }

  /// Searches a part for a record. Records that would exceed the remaining effort are rejected.
  private mutating func examine(_ search: Search) {
    var search = search
    let part = search.part
    for place in search.places where Self.isMark(part[place]) {
      guard let head = RecordHeader(part, at: place, left: count - search.start - place), head.length <= effort else {
        continue
      }
      search.places = place + 1..<search.places.upperBound
      let candidate = Candidate(head, in: part, at: place, place: search.start + place, search: search)
      // Handled here instead of in `check`, so that a part full of such headers does not cause deep recursion.
      if candidate.check.wanted == nil, !candidate.check.isRight {
        effort -= Self.requestCost
        continue
      }
      return check(candidate)
    }
    effort -= search.places.upperBound
    search.start += search.places.upperBound
    search.window = min(4 * search.window, RecordChecksumVerifier.window)
    seek(search)
  }

  private mutating func giveUp(_ search: Search) {
    let isTooMuch = faults.count + 1 == Self.mostFaults || effort <= 0
    faults.append(
      isTooMuch
        ? ScanError(
          .damaged, "the scan is damaged in too many places to read on", byte: search.damaged, frame: search.lost)
        : ScanError(
          .cutShort, "the scan ends in the middle of a record", byte: search.damaged, frame: search.lost))
    wanted = nil
  }

  /// F, P or I, the first bytes of the record marks.
  private static func isMark(_ byte: UInt8) -> Bool { byte == 0x46 || byte == 0x50 || byte == 0x49 }
}
