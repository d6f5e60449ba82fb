/// Seals what is written, a record for each write, so that what was synchronised ends with one.
actor SealedUploadWriter: UploadWriter {
  private let writer: any UploadWriter
  private let records: SealedRecords
  private let random: @Sendable (Int) -> [UInt8]
  private let settled: @Sendable (UploadPlace) async -> Void
  private var place: UploadPlace
  /// A record on its way to the disk; its memory is used again and again.
  private var sealed: [UInt8] = []
  private var isBroken = false

  /// - Parameters:
  ///   - writer: stands at `place`.
  ///   - settled: is told how far what would survive a power cut goes.
  init(
    _ writer: any UploadWriter, _ records: SealedRecords, at place: UploadPlace,
    random: @escaping @Sendable (Int) -> [UInt8], settled: @escaping @Sendable (UploadPlace) async -> Void
  ) {
    self.writer = writer
    self.records = records
    self.place = place
    self.random = random
    self.settled = settled
  }

  func write(_ bytes: [UInt8]) async throws {
    // Behind what a failing disk took in part nothing could be found again.
    guard !isBroken else { throw StoreError(.unavailable, reason: "The disk did not take an upload.") }
    for start in stride(from: 0, to: bytes.count, by: SealedRecords.most) {
      let some = bytes[start..<min(start + SealedRecords.most, bytes.count)]
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

  func synchronise() async throws {
    try await writer.synchronise()
    await settled(place)
  }

  func close() async { await writer.close() }
}
