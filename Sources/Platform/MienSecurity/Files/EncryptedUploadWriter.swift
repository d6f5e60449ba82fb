internal import MienPlatform

/// Encrypts written data, one record per write, so that synchronized data ends with a record.
actor EncryptedUploadWriter: UploadWriter {
  private let writer: any UploadWriter
  private let records: RecordCipher
  private let random: @Sendable (Int) -> [UInt8]
  private let settled: @Sendable (UploadOffset) async -> Void
  private var place: UploadOffset
  /// The record being written; the memory is reused.
  private var sealed: [UInt8] = []
  private var isBroken = false

  /// - Parameters:
  ///   - writer: positioned at `place`.
  ///   - settled: called with the offset up to which data would survive a power failure.
  init(
    _ writer: any UploadWriter, _ records: RecordCipher, at place: UploadOffset,
    random: @escaping @Sendable (Int) -> [UInt8], settled: @escaping @Sendable (UploadOffset) async -> Void
  ) {
    self.writer = writer
    self.records = records
    self.place = place
    self.random = random
    self.settled = settled
  }

  func write(_ bytes: [UInt8]) async throws {
    // After a partial write to a failing disk, later records could not be located.
    guard !isBroken else { throw StoreError(.unavailable, reason: "The disk did not take an upload.") }
    for start in stride(from: 0, to: bytes.count, by: RecordCipher.most) {
      let some = bytes[start..<min(start + RecordCipher.most, bytes.count)]
      records.seal(some, at: place.plain, nonce: random(12), onto: &sealed)
      defer { sealed.removeAll(keepingCapacity: true) }
      do {
        try await writer.write(sealed)
      } catch {
        isBroken = true
        throw error
      }
      place = place.behind(some.count)
    }
  }

  func synchronize() async throws {
    try await writer.synchronize()
    await settled(place)
  }

  func close() async { await writer.close() }
}
