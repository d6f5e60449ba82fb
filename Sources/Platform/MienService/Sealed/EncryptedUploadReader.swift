/// Goes from record to record of one sealed upload, and reads no more of those that are passed by than their heads.
struct EncryptedUploadReader {
  /// How much is read at once where only heads are wanted: small records lie close together.
  private static let step = 4 << 10

  private let shelf: any UploadStore
  private let id: UploadID
  /// Bytes of the file, from `start` on.
  private var window: [UInt8] = []
  private var start = 0

  init(_ shelf: any UploadStore, _ id: UploadID) {
    self.shelf = shelf
    self.id = id
  }

  /// Behind the record that begins at a place; nil when the file ends before it says how long it is. Whether it is whole is not
  /// looked at.
  ///
  /// - Parameter wanted: how many bytes of the upload will be read from there on.
  /// - Throws: ``StoreError`` with `unavailable` when no record begins so.
  mutating func place(after place: UploadOffset, wanted: Int = 0) async throws -> UploadOffset? {
    let ahead = min(max(wanted, 0), RecordCipher.most) + Self.step
    let head = try await bytes(place.sealed..<place.sealed + RecordCipher.head, ahead: ahead)
    guard head.count == RecordCipher.head else { return nil }
    guard let count = RecordCipher.count(head) else { throw EncryptedUploadHeader.damaged }
    return place.behind(count)
  }

  /// The record between two places, as it lies in the file; nil when its end was never written.
  mutating func record(_ place: UploadOffset, _ next: UploadOffset) async throws -> ArraySlice<UInt8>? {
    let record = try await bytes(place.sealed..<next.sealed)
    return record.count == next.sealed - place.sealed ? record : nil
  }

  /// A part of the file, cut where it ends.
  ///
  /// - Parameter ahead: how much is read from its beginning on when it has not been yet.
  private mutating func bytes(_ range: Range<Int>, ahead: Int = 0) async throws -> ArraySlice<UInt8> {
    let held = start..<start + window.count
    if range.lowerBound < held.lowerBound || range.upperBound > held.upperBound {
      let kept = held.contains(range.lowerBound) ? held.upperBound - range.lowerBound : 0
      let end = max(range.upperBound, range.lowerBound + ahead)
      let more = try await shelf.read(id, range.lowerBound + kept..<end)
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
