public import MienDepth

/// The frames of a bundle that lies where every reading takes its time, as in a bucket.
///
/// In memory are where its records lie, a mebibyte of its bytes or one record where that is more, and what the decoder
/// holds of the frame that was decoded last, so that the next frame takes one record; never the whole. What an index
/// says of a record is believed until the record is read: one that is another is damaged. A bundle without an index is
/// walked through once, a mebibyte at a time.
public actor RemoteScanSource {
  /// Most bytes that are read at once, but for a record or an index of more.
  private static let most = 1 << 20

  private let count: Int
  private let read: @Sendable (Range<Int>) async throws -> [UInt8]
  /// Finds where the records lie; all who come while it does wait for it.
  private var opening: Task<ScanReader, any Error>?
  /// Behind the frame that was decoded last; nil while it is used.
  private var cursor: BundleFrameCursor?

  /// - Parameters:
  ///   - count: how many bytes the bundle has.
  ///   - read: reads a part of them, cut where they end.
  public init(bytes count: Int, read: @escaping @Sendable (Range<Int>) async throws -> [UInt8]) {
    self.count = count
    self.read = read
  }

  /// A frame; nil when there are not so many.
  ///
  /// - Throws: ``ScanError`` as `ScanReader` does, and what reading throws.
  public func frame(at number: Int) async throws -> ScanFrame? {
    let reader = try await opened()
    guard (0..<reader.count).contains(number) else { return nil }
    // Whoever comes meanwhile begins at a key frame.
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
      // Of one that is damaged, the frame that builds on it tells.
      guard next < number, (try? cursor.frame(at: next)) != nil else { break }
    }
    return try cursor.frame(at: number)
  }

  /// The records of frames, as many as lie side by side and are no more than is read at once; the first in any case.
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
        // Whoever comes next tries again.
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
        // Whoever walks asks next for what follows.
        let end = max(wanted.upperBound, min(wanted.lowerBound + Self.most, count))
        piece = FetchedByteRange(try await read(wanted.lowerBound..<end), at: wanted.lowerBound, of: count)
      }
      search.take(piece.bytes(wanted))
    }
    return ScanReader(header, search, FetchedByteRange.nothing)
  }
}
