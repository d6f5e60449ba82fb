public import MienScanFormat

/// Reads the frames of a bundle in storage with high latency, such as an S3 bucket.
///
/// Memory use is limited to the record locations, one mebibyte of the bundle's bytes (or one record if that is larger),
/// and the decoder state of the last frame, so that reading the next frame takes one record. Index entries are not
/// verified until the record is read: a mismatch is reported as damage. A bundle without an index is scanned once, a
/// mebibyte at a time.
public actor RemoteScanSource {
  /// Maximum number of bytes per read, except for a larger record or index.
  private static let most = 1 << 20

  private let count: Int
  private let read: @Sendable (Range<Int>) async throws -> [UInt8]
  /// Task that locates the records; concurrent callers await it.
  private var opening: Task<ScanReader, any Error>?
  /// Cursor after the last decoded frame; nil while in use.
  private var cursor: BundleFrameCursor?

  /// - Parameters:
  ///   - count: size of the bundle in bytes.
  ///   - read: reads a range of the bundle; the result is shorter if the range exceeds the end.
  public init(bytes count: Int, read: @escaping @Sendable (Range<Int>) async throws -> [UInt8]) {
    self.count = count
    self.read = read
  }

  /// Returns a frame; nil if the number is out of range.
  ///
  /// - Throws: ``ScanError`` as `ScanReader` does, and any error thrown by `read`.
  public func frame(at number: Int) async throws -> ScanFrame? {
    let reader = try await opened()
    guard (0..<reader.count).contains(number) else { return nil }
    // Concurrent calls start at a key frame.
    var cursor = self.cursor ?? reader.cursor
    self.cursor = nil
    defer {
      cursor.bytes = FetchedByteRange.nothing
      self.cursor = cursor
    }
    var piece = FetchedByteRange.nothing
    for next in try cursor.start(of: number)...number {
      let place = try reader.place(ofFrame: next)
      if !piece.holds(place) {
        piece = try await records(from: next, through: number, of: reader)
        cursor.bytes = piece
      }
      // If it is damaged, reading the dependent frame reports the error.
      guard next < number, (try? cursor.frame(at: next)) != nil else { break }
    }
    return try cursor.frame(at: number)
  }

  /// Reads the records of consecutive frames up to the maximum read size, but always the first one.
  private func records(from first: Int, through last: Int, of reader: ScanReader) async throws -> FetchedByteRange {
    var range = try reader.place(ofFrame: first)
    for number in first..<last {
      let next = try reader.place(ofFrame: number + 1)
      guard next.lowerBound == range.upperBound, next.upperBound - range.lowerBound <= Self.most else { break }
      range = range.lowerBound..<next.upperBound
    }
    return FetchedByteRange(try await read(range), at: range.lowerBound, of: count)
  }

  private func opened() async throws -> ScanReader {
    if let opening { return try await opening.value }
    let task = Task<ScanReader, any Error> {
      do {
        return try await open()
      } catch {
        // The next call tries again.
        self.opening = nil
        throw error
      }
    }
    opening = task
    return try await task.value
  }

  private func open() async throws -> ScanReader {
    let (header, start) = try ScanReader.header(try await read(0..<min(count, ScanReader.longestHeader)))
    var search = BundleRecordLocator(from: start, in: count)
    var piece = FetchedByteRange.nothing
    while let wanted = search.wanted {
      if !piece.holds(wanted) {
        // Reads ahead, because scanning requests the following bytes next.
        let end = max(wanted.upperBound, min(wanted.lowerBound + Self.most, count))
        piece = FetchedByteRange(try await read(wanted.lowerBound..<end), at: wanted.lowerBound, of: count)
      }
      search.take(piece.bytes(wanted))
    }
    return ScanReader(header, search, FetchedByteRange.nothing)
  }
}

/// Fetched range of a scan's bytes; bytes outside it are treated as unreadable.
struct FetchedByteRange: ByteSource {
  static let nothing = FetchedByteRange([], at: 0, of: 0)

  /// Size of the whole scan in bytes.
  let count: Int
  private let start: Int
  private let part: [UInt8]

  init(_ part: [UInt8], at start: Int, of count: Int) {
    self.count = count
    self.start = start
    self.part = part
  }

  func holds(_ range: Range<Int>) -> Bool { range.lowerBound >= start && range.upperBound - start <= part.count }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    guard range.lowerBound >= start, range.lowerBound - start < part.count else { return [] }
    return Array(part[range.lowerBound - start..<min(range.upperBound - start, part.count)])
  }
}
