internal import MienPlatform

/// Iterates over the records of an encrypted upload; of skipped records it reads only the headers.
struct EncryptedUploadReader {
  /// Number of bytes read at once if only headers are needed: small records are close together.
  private static let step = 4 << 10

  private let uploads: any UploadStore
  private let id: UploadID
  /// Bytes of the file, starting at `start`.
  private var window: [UInt8] = []
  private var start = 0

  init(_ uploads: any UploadStore, _ id: UploadID) {
    self.uploads = uploads
    self.id = id
  }

  /// Returns the position after the record at `place`; `nil` if the file ends before its length field. Does not check
  /// whether the record is complete.
  ///
  /// - Parameter wanted: number of bytes of the upload that will be read from there.
  /// - Throws: ``StoreError`` with `unavailable` if there is no valid record at this position.
  mutating func place(after place: UploadOffset, wanted: Int = 0) async throws -> UploadOffset? {
    let ahead = min(max(wanted, 0), RecordCipher.most) + Self.step
    let head = try await bytes(place.sealed..<place.sealed + RecordCipher.head, ahead: ahead)
    guard head.count == RecordCipher.head else { return nil }
    guard let count = RecordCipher.count(head) else { throw EncryptedUploadHeader.damaged }
    return place.behind(count)
  }

  /// Returns the encrypted record between two positions; `nil` if it is incomplete.
  mutating func record(_ place: UploadOffset, _ next: UploadOffset) async throws -> ArraySlice<UInt8>? {
    let record = try await bytes(place.sealed..<next.sealed)
    return record.count == next.sealed - place.sealed ? record : nil
  }

  /// Returns a range of the file, truncated at its end.
  ///
  /// - Parameter ahead: number of bytes to read from the start of the range if they are not buffered.
  private mutating func bytes(_ range: Range<Int>, ahead: Int = 0) async throws -> ArraySlice<UInt8> {
    let held = start..<start + window.count
    if range.lowerBound < held.lowerBound || range.upperBound > held.upperBound {
      let kept = held.contains(range.lowerBound) ? held.upperBound - range.lowerBound : 0
      let end = max(range.upperBound, range.lowerBound + ahead)
      let more = try await uploads.read(id, range.lowerBound + kept..<end)
      if kept == 0 {
        window = more
      } else {
        window.removeFirst(window.count - kept)
        window += more
      }
      start = range.lowerBound
    }
    let first = range.lowerBound - start
    return window[first..<min(first + range.count, window.count)]
  }
}
