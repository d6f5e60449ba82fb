public import MienPlatform

/// Stores uploads encrypted in another upload store: the stored data is unreadable without the master keyring.
///
/// Each upload has its own key, which is stored in the header of its file, wrapped under a key of the keyring. The
/// content is AES-256-GCM in records (Documentation/reference/formats/SealedUpload.md), one per write, so that an upload can
/// continue at the end of any record. Uploads that predate encryption continue as plaintext until they are complete.
public struct EncryptedUploadStore: UploadStore {
  private let uploads: any UploadStore
  private let keyring: MasterKeyring
  private let random: @Sendable (Int) -> [UInt8]
  private let places = UploadOffsetCache()

  /// - Parameters:
  ///   - uploads: stores the encrypted data; must not be written to otherwise.
  ///   - random: returns the requested number of unguessable bytes.
  public init(_ uploads: any UploadStore, keyring: MasterKeyring, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.uploads = uploads
    self.keyring = keyring
    self.random = random
  }

  public func open(_ id: UploadID, at offset: Int) async throws -> any UploadWriter {
    guard offset > 0 else { return try await begin(id) }
    guard let records = try await records(of: id) else { return try await uploads.open(id, at: offset) }
    var reader = EncryptedUploadReader(uploads, id)
    var place = await places.place(of: id, before: offset)
    while place.plain < offset {
      guard let next = try await reader.place(after: place) else {
        throw StoreError(.missing, reason: "An upload has fewer bytes than were noted.")
      }
      place = next
    }
    // Not observed in practice: recorded offsets were synchronized, synchronized data ends with a record, and records
    // are only truncated after the recorded offset.
    guard place.plain == offset else {
      throw StoreError(.missing, reason: "What was noted of an upload ends within what came at once.")
    }
    let writer = try await uploads.open(id, at: place.sealed)
    // Cached later positions are invalid.
    await places.note(place, of: id)
    return sealing(writer, records, at: place, of: id)
  }

  /// Starts an upload: no earlier bytes were recorded, so they and their key may be discarded.
  private func begin(_ id: UploadID) async throws -> any UploadWriter {
    let head = EncryptedUploadHeader(key: random(32))
    await places.remove(id)
    let writer = try await uploads.open(id, at: 0)
    do {
      try await writer.write(head.bytes(of: id, under: keyring, nonce: random(12)))
    } catch {
      await writer.close()
      throw error
    }
    return sealing(writer, RecordCipher(key: head.key), at: .first, of: id)
  }

  private func sealing(
    _ writer: any UploadWriter, _ records: RecordCipher, at place: UploadOffset, of id: UploadID
  ) -> any UploadWriter {
    EncryptedUploadWriter(writer, records, at: place, random: random) { [places] in await places.note($0, of: id) }
  }

  public func read(_ id: UploadID, _ range: Range<Int>) async throws -> [UInt8] {
    guard let records = try await records(of: id) else { return try await uploads.read(id, range) }
    return try await read(max(range.lowerBound, 0)..<max(range.upperBound, 0), of: id, records)
  }

  /// Runs off the caller's actor: decryption takes time in which a service can do other work.
  @concurrent
  private func read(_ wanted: Range<Int>, of id: UploadID, _ records: RecordCipher) async throws -> [UInt8] {
    var reader = EncryptedUploadReader(uploads, id)
    var place = await places.place(of: id, before: wanted.lowerBound)
    var plain: [UInt8] = []
    plain.reserveCapacity(min(wanted.count, RecordCipher.most))
    while place.plain < wanted.upperBound {
      let rest = place.plain < wanted.lowerBound ? 0 : wanted.upperBound - place.plain
      guard let next = try await reader.place(after: place, wanted: rest) else { break }
      if next.plain > wanted.lowerBound {
        // Writing the last record was interrupted.
        guard let record = try await reader.record(place, next) else { break }
        guard records.open(record, at: place.plain, wanted, onto: &plain) else { throw EncryptedUploadHeader.damaged }
        // The next read continues within this record.
        if next.plain > wanted.upperBound { break }
      }
      place = next
    }
    // Skipped records are not authenticated.
    if !plain.isEmpty { await places.note(place, of: id) }
    return plain
  }

  public func delete(_ id: UploadID) async throws -> Bool {
    await places.remove(id)
    return try await uploads.delete(id)
  }

  public func collectGarbage(keeping isWanted: @Sendable (UploadID) async throws -> Bool) async throws -> Int {
    try await uploads.collectGarbage(keeping: isWanted)
  }

  /// Returns the cipher of an upload's records; `nil` if it predates encryption.
  private func records(of id: UploadID) async throws -> RecordCipher? {
    let head = try await EncryptedUploadHeader(uploads.read(id, 0..<EncryptedUploadHeader.size), of: id, under: keyring)
    return head.map { RecordCipher(key: $0.key) }
  }
}
