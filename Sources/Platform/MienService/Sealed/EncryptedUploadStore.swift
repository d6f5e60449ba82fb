/// Keeps uploads encrypted on another shelf: whoever has the disk and not the seal has noise.
///
/// Each upload has a key of its own, which stands at the head of its file, wrapped under a key of the seal. What follows is
/// AES-256-GCM in records (Documentation/Formats/SealedUpload.md), one for what came at once, so that an upload can be gone on
/// with wherever one ends. Uploads from before there was sealing go on as they are until they are whole.
public struct EncryptedUploadStore: UploadStore {
  private let shelf: any UploadStore
  private let keyring: MasterKeyring
  private let random: @Sendable (Int) -> [UInt8]
  private let places = UploadOffsetCache()

  /// - Parameters:
  ///   - shelf: keeps what is encrypted; nobody else writes to it.
  ///   - random: as many unguessable bytes as it is asked for.
  public init(_ shelf: any UploadStore, keyring: MasterKeyring, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.shelf = shelf
    self.keyring = keyring
    self.random = random
  }

  public func open(_ id: UploadID, at offset: Int) async throws -> any UploadWriter {
    guard offset > 0 else { return try await begin(id) }
    guard let records = try await records(of: id) else { return try await shelf.open(id, at: offset) }
    var reader = EncryptedUploadReader(shelf, id)
    var place = await places.place(of: id, before: offset)
    while place.plain < offset {
      guard let next = try await reader.place(after: place) else {
        throw StoreError(.missing, reason: "An upload has fewer bytes than were noted.")
      }
      place = next
    }
    // Not seen in an upload of ours: what is noted was synchronised, what was synchronised ends with a record, and records are
    // cut off only behind what is noted.
    guard place.plain == offset else {
      throw StoreError(.missing, reason: "What was noted of an upload ends within what came at once.")
    }
    let writer = try await shelf.open(id, at: place.sealed)
    // What was known of places behind is over.
    await places.note(place, of: id)
    return sealing(writer, records, at: place, of: id)
  }

  /// Begins an upload: nothing that came before was noted, so that it may go with its key.
  private func begin(_ id: UploadID) async throws -> any UploadWriter {
    let head = EncryptedUploadHeader(key: random(32))
    await places.forget(id)
    let writer = try await shelf.open(id, at: 0)
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
    guard let records = try await records(of: id) else { return try await shelf.read(id, range) }
    return try await read(max(range.lowerBound, 0)..<max(range.upperBound, 0), of: id, records)
  }

  /// Not where it is asked for: opening takes time in which a service can do other things.
  @concurrent
  private func read(_ wanted: Range<Int>, of id: UploadID, _ records: RecordCipher) async throws -> [UInt8] {
    var reader = EncryptedUploadReader(shelf, id)
    var place = await places.place(of: id, before: wanted.lowerBound)
    var plain: [UInt8] = []
    plain.reserveCapacity(min(wanted.count, RecordCipher.most))
    while place.plain < wanted.upperBound {
      let rest = place.plain < wanted.lowerBound ? 0 : wanted.upperBound - place.plain
      guard let next = try await reader.place(after: place, wanted: rest) else { break }
      if next.plain > wanted.lowerBound {
        // The writing of the last one was cut off.
        guard let record = try await reader.record(place, next) else { break }
        guard records.open(record, at: place.plain, wanted, onto: &plain) else { throw EncryptedUploadHeader.damaged }
        // The next who reads goes on in the midst of this one.
        if next.plain > wanted.upperBound { break }
      }
      place = next
    }
    // Records that were only passed by may be none.
    if !plain.isEmpty { await places.note(place, of: id) }
    return plain
  }

  public func delete(_ id: UploadID) async throws -> Bool {
    await places.forget(id)
    return try await shelf.delete(id)
  }

  public func collectGarbage(keeping isWanted: @Sendable (UploadID) async throws -> Bool) async throws -> Int {
    try await shelf.collectGarbage(keeping: isWanted)
  }

  /// What opens the records of an upload; nil when it is one from before there was sealing.
  private func records(of id: UploadID) async throws -> RecordCipher? {
    let head = try await EncryptedUploadHeader(shelf.read(id, 0..<EncryptedUploadHeader.size), of: id, under: keyring)
    return head.map { RecordCipher(key: $0.key) }
  }
}
