/// Finds a bundle's records without its index. Whoever has the bytes hands over those that are ``wanted``, until none
/// are.
///
/// A hostile file could be made of heads that all announce much: what is looked at in vain is bounded for the file as a
/// whole, by a few times its length, and so are the places that are read around. Damage of real files stays far below: a
/// lost record is looked at about twice.
struct BundleRecoveryScanner: Sendable {
  private(set) var records: [ScanReader.Record] = []
  private(set) var faults: [ScanError] = []
  private(set) var wholeLength: Int
  /// Where the bytes lie that it goes on with; nil when it is at its end.
  private(set) var wanted: Range<Int>?
  /// How many bytes the bundle has.
  private let count: Int
  private var stage: Stage
  /// The number after the last frame's.
  private var frame = 0
  /// How many bytes may still be looked at in vain.
  private var effort: Int

  private static let mostRecords = ScanFormat.mostFrames + ScanFormat.mostImages
  private static let mostFaults = 1000
  /// What asking for a record's bytes costs beside the bytes themselves, in bytes.
  private static let costOfAsking = 1024

  private enum Stage: Sendable {
    /// Wants the head of the record that should begin here.
    case record(at: Int)
    /// Wants a part of a payload.
    case check(Candidate)
    /// Wants bytes in which the next record may begin.
    case search(Search)
  }

  /// What may be a record, until its checksum is known.
  private struct Candidate: Sendable {
    let head: RecordHeader
    let place: Int
    var check: RecordChecksumVerifier
    /// What it was found by; nil where the record before ends.
    let search: Search?

    /// - Parameters:
    ///   - bytes: hold the head at `start`.
    ///   - place: where the head lies in the bundle.
    init(_ head: RecordHeader, in bytes: [UInt8], at start: Int, place: Int, search: Search?) {
      let payload = place + ScanFormat.headLength
      self.head = head
      self.place = place
      self.search = search
      check = RecordChecksumVerifier(bytes, at: start, payload: payload..<payload + head.length)
    }
  }

  /// Looks behind a damaged record for the next one that is whole and sound.
  private struct Search: Sendable {
    /// Where the damaged one begins.
    let damaged: Int
    /// The frame that is lost with it; nil when it is none.
    let lost: Int?
    /// Where `part` begins.
    var start: Int
    /// How long the next part is: the next record is mostly near.
    var window = 1 << 10
    var part: [UInt8] = []
    /// The places of `part` that have not been looked at.
    var places = 0..<0
  }

  init(from start: Int, in count: Int) {
    self.count = count
    wholeLength = start
    // A sparse file may claim to be longer than can be multiplied.
    effort = 4 * min(count, 1 << 50) + 1 << 20
    stage = .record(at: start)
    expectRecord(at: start)
  }

  /// Takes the bytes that are ``wanted``; fewer when they cannot be read any more.
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
      // With a head comes the first byte of its payload, unless the bytes end with it.
      let isLast = search.start + bytes.count == count
      let places = bytes.count - ScanFormat.headLength + (isLast ? 1 : 0)
      guard places > 0 else { return giveUp(search) }
      search.part = bytes
      search.places = 0..<places
      look(search)
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
      effort -= candidate.head.length + Self.costOfAsking
      if let search = candidate.search {
        look(search)
      } else {
        lose(at: candidate.place, isImage: candidate.head.mark == .image)
      }
    }
  }

  private mutating func keep(_ candidate: Candidate) {
    let (head, place) = (candidate.head, candidate.place)
    if let search = candidate.search {
      // Read once more, as what follows a damaged place.
      effort -= place - search.start
      faults.append(ScanError(.damaged, "a record is damaged", byte: search.damaged, frame: search.lost))
      return expectRecord(at: place)
    }
    guard let kind = head.kind else {
      // The index of a file whose trailer is cut off or damaged; what follows it is the trailer.
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
    // What begins as a picture is no frame.
    let search = Search(damaged: place, lost: isImage ? nil : frame, start: place + 1)
    if faults.count + 1 == Self.mostFaults { giveUp(search) } else { seek(search) }
  }

  /// Wants the next part, unless ``effort`` is used up.
  private mutating func seek(_ search: Search) {
    guard effort > 0, search.start + ScanFormat.headLength <= count else { return giveUp(search) }
    stage = .search(search)
    wanted = search.start..<min(search.start + search.window, count)
  }

  /// Looks through a part for a record. One that would take more than may be looked at in vain counts as wrong.
  private mutating func look(_ search: Search) {
    var search = search
    let part = search.part
    for place in search.places where Self.isMark(part[place]) {
      guard let head = RecordHeader(part, at: place, left: count - search.start - place), head.length <= effort else {
        continue
      }
      search.places = place + 1..<search.places.upperBound
      let candidate = Candidate(head, in: part, at: place, place: search.start + place, search: search)
      // Here and not by `check`, so that a part full of them takes no stack.
      if candidate.check.wanted == nil, !candidate.check.isRight {
        effort -= Self.costOfAsking
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
          .damaged, "the scan is damaged in too many places to be read on", byte: search.damaged, frame: search.lost)
        : ScanError(
          .cutShort, "the scan ends in the middle of a record", byte: search.damaged, frame: search.lost))
    wanted = nil
  }

  /// F, P or I.
  private static func isMark(_ byte: UInt8) -> Bool { byte == 0x46 || byte == 0x50 || byte == 0x49 }
}
