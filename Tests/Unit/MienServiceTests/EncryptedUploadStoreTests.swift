import Foundation
import MienBlobs
import MienCore
import MienStore
import MienTestSupport
import Synchronization
import Testing

@testable import MienPlatform
@testable import MienScanService
@testable import MienSecurity

/// Encryption of uploads at rest.
@Suite struct `Sealed uploads` {
  private static let head = 72
  private static let around = 32

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-pieces-\(UUID())")
  private let id: UploadID
  private let other: UploadID
  private let chance = Chance(seed: 1)

  init() throws {
    id = try #require(UploadID("upl_" + String(repeating: "a", count: 32)))
    other = try #require(UploadID("upl_" + String(repeating: "b", count: 32)))
  }

  /// Random number generator that continues across instances of the store, like the system's across restarts.
  private final class Chance: Sendable {
    private let randomness: Mutex<SplitMixGenerator>
    init(seed: UInt64) { randomness = Mutex(SplitMixGenerator(seed: seed)) }
    func bytes(_ count: Int) -> [UInt8] {
      randomness.withLock { generator in
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
          let word = generator.next()
          for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return Array(bytes.prefix(count))
      }
    }
  }

  /// Runs a closure with a temporary folder.
  private func inFolder(_ body: () async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  /// Returns a store without cached state, as after a restart.
  private func uploads(_ keyring: MasterKeyring? = nil) throws -> EncryptedUploadStore {
    let chance = chance
    return EncryptedUploadStore(try FileUploadStore(folder.path), keyring: try keyring ?? sampleSeal(1)) {
      chance.bytes($0)
    }
  }

  private func file(_ id: UploadID) -> URL { folder.appendingPathComponent(id.text) }
  private func raw(_ id: UploadID) throws -> [UInt8] { [UInt8](try Data(contentsOf: file(id))) }
  private func put(_ bytes: some Collection<UInt8>, _ id: UploadID) throws { try Data(bytes).write(to: file(id)) }

  /// Writes and synchronizes chunks.
  private func write(_ pieces: [[UInt8]], _ uploads: EncryptedUploadStore, _ id: UploadID, at offset: Int = 0)
    async throws
  {
    let writer = try await uploads.open(id, at: offset)
    for piece in pieces { try await writer.write(piece) }
    try await writer.synchronize()
    await writer.close()
  }

  /// Splits a file into records by their lengths.
  private func records(_ raw: [UInt8]) -> [ArraySlice<UInt8>] {
    var (rest, found): (ArraySlice<UInt8>, [ArraySlice<UInt8>]) = (raw[Self.head...], [])
    while let count = RecordCipher.count(rest.prefix(4)) {
      found.append(rest.prefix(count + Self.around))
      rest = rest.dropFirst(count + Self.around)
    }
    return found
  }

  /// Returns the readable bytes of an upload, or `nil` if it cannot be read.
  private func whole(_ id: UploadID, _ count: Int, _ keyring: MasterKeyring? = nil) async throws -> [UInt8]? {
    do {
      return try await uploads(keyring).read(id, 0..<count)
    } catch let error as StoreError {
      #expect(error.code == .unavailable)
      return nil
    }
  }

  // MARK: - Operations

  @Test func `keep the contracts of shelves and of writers`() async throws {
    try await inFolder { try await checkUploadStore { try uploads() } }
    try await inFolder { try await checkUploadWriter { try uploads() } }
  }

  @Test func `come back in every part, whatever came at once, and lie as noise`() async throws {
    try await inFolder {
      let most = RecordCipher.most
      let pieces = [1, 1000, 262_144, 300_000, 0, most, most + 5, 2 * most + 3, 16].map { chance.bytes($0) }
      var bytes: [UInt8] = []
      for piece in pieces { bytes += piece }
      let uploads = try uploads()
      try await write(pieces, uploads, id)
      let raw = try raw(id)
      #expect(raw.count == Self.head + bytes.count + 11 * Self.around, "what came at once is one record up to 1 MiB")
      let noise = Data(raw)
      for place in stride(from: 0, to: bytes.count - 16, by: 900_001) {
        #expect(noise.range(of: Data(bytes[place..<place + 16])) == nil)
      }
      for uploads in [uploads, try self.uploads()] {
        #expect(try await uploads.read(id, 0..<bytes.count + 9) == bytes)
        for range in [0..<1, 1..<1001, 999..<1002, most - 7..<2 * most, bytes.count - 1..<bytes.count + 5, 5..<5] {
          let wanted = range.clamped(to: 0..<bytes.count)
          #expect(try await uploads.read(id, range) == Array(bytes[wanted]), "\(range)")
        }
        var read: [UInt8] = []
        while case let more = try await uploads.read(id, read.count..<read.count + most), !more.isEmpty { read += more }
        #expect(read == bytes, "one part after the other")
        #expect(try await uploads.read(id, bytes.count..<bytes.count + 9).isEmpty)
      }
    }
  }

  @Test func `read each part once, and of what they pass by the lengths only`() async throws {
    try await inFolder {
      let counting = CountingShelf(try FileUploadStore(folder.path))
      let chance = chance
      func uploads() throws -> EncryptedUploadStore {
        EncryptedUploadStore(counting, keyring: try sampleSeal(1)) { chance.bytes($0) }
      }
      let (piece, count) = (chance.bytes(262_200), 40)
      let writer = try await uploads().open(id, at: 0)
      for _ in 0..<count { try await writer.write(piece) }
      try await writer.synchronize()
      await writer.close()
      let size = count * piece.count
      let fresh = try uploads()
      counting.begin()
      for start in stride(from: 0, to: size, by: 1 << 20) {
        _ = try await fresh.read(id, start..<min(start + 1 << 20, size))
      }
      // A record shared by two reads is read twice.
      #expect(counting.read < size * 13 / 10, "\(counting.read) bytes for \(size)")
      #expect(counting.reads < 60, "\(counting.reads)")
      counting.begin()
      await (try fresh.open(id, at: size)).close()
      #expect(counting.reads < 5, "\(counting.reads): where it ended is known")
      counting.begin()
      await (try uploads().open(id, at: size)).close()
      #expect(counting.read < count * 4200, "\(counting.read) bytes to find the end")
    }
  }

  @Test func `go on only where a write ended, and change nothing when they do not`() async throws {
    try await inFolder {
      try await write([[1, 2, 3], [4, 5]], uploads(), id)
      let before = try raw(id)
      for offset in [1, 2, 4, 6, 100] {
        let refusal = await #expect(throws: StoreError.self) { _ = try await uploads().open(id, at: offset) }
        #expect(refusal?.code == .missing, "\(offset)")
      }
      let none = await #expect(throws: StoreError.self) { _ = try await uploads().open(other, at: 3) }
      #expect(none?.code == .missing)
      #expect(try raw(id) == before)
      try await write([[6]], uploads(), id, at: 3)
      #expect(try await uploads().read(id, 0..<9) == [1, 2, 3, 6])
    }
  }

  @Test func `remember no place behind one that they went back to`() async throws {
    try await inFolder {
      let uploads = try uploads()
      try await write([[1, 2, 3], [4, 5]], uploads, id)
      for offset in [3, 0] {
        let writer = try await uploads.open(id, at: offset)
        for byte in 10..<UInt8(16) { try await writer.write([byte]) }
        // Not synchronized.
        #expect(try await uploads.read(id, 5..<7) == (offset == 3 ? [12, 13] : [15]))
        await writer.close()
        try await write([[1, 2, 3], [4, 5]], uploads, id)
      }
    }
  }

  @Test func `take nothing more when the disk took a write in part`() async throws {
    try await inFolder {
      let chance = chance
      let counting = CountingShelf(try FileUploadStore(folder.path))
      let uploads = EncryptedUploadStore(counting, keyring: try sampleSeal(1)) { chance.bytes($0) }
      let writer = try await uploads.open(id, at: 0)
      try await writer.write([1, 2, 3])
      counting.fillDisk()
      await #expect(throws: StoreError.self) { try await writer.write([4, 5, 6]) }
      counting.freeDisk()
      await #expect(throws: StoreError.self) { try await writer.write([7]) }
      try await writer.synchronize()
      await writer.close()
      #expect(try await uploads.read(id, 0..<9) == [1, 2, 3])
      try await write([[8]], uploads, id, at: 3)
      #expect(try await self.uploads().read(id, 0..<9) == [1, 2, 3, 8])
    }
  }

  // MARK: - Crashes

  @Test(arguments: 1...4)
  func `go on where they were noted, wherever a sudden end cut them off`(seed: UInt64) async throws {
    try await inFolder {
      var generator = SplitMixGenerator(seed: seed)
      let noted = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        chance.bytes(.random(in: 1...90, using: &generator))
      }
      let lost = (0..<2).map { _ in chance.bytes(.random(in: 1...60, using: &generator)) }
      let rest = (0..<2).map { _ in chance.bytes(.random(in: 1...90, using: &generator)) }
      let offset = noted.joined().count
      let bytes = Array(noted.joined()) + Array(rest.joined())
      let first = try uploads()
      try await write(noted, first, id)
      let kept = try raw(id)
      try await write(lost, first, id, at: offset)
      let all = try raw(id)
      // Truncated files, and blocks that a file system leaves for unwritten data.
      var ends = (kept.count...all.count).map { Array(all[..<$0]) }
      ends += [1, 3, 4, 40, 5000].flatMap { count in
        [
          kept + [UInt8](repeating: 0, count: count), kept + [UInt8](repeating: 255, count: count),
          kept + chance.bytes(count),
        ]
      }
      for end in ends {
        try put(end, id)
        // In a new process, or in the same one.
        for uploads in [try self.uploads(), first] {
          try await write(rest, uploads, id, at: offset)
          #expect(try await uploads.read(id, 0..<9999) == bytes, "\(end.count) of \(all.count)")
          #expect(try await self.uploads().read(id, 0..<9999) == bytes)
        }
      }
    }
  }

  @Test func `never use a nonce for two records, nor a key for two uploads`() async throws {
    try await inFolder {
      var (nonces, keys): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
      for attempt in 1...20 {
        try await write([[1, 2, 3], [4]], uploads(), id, at: 0)
        keys.insert(Array(try raw(id)[12..<72]))
        for _ in 0..<5 {
          try await write([[UInt8(attempt)], [5, 6]], uploads(), id, at: 4)
          for record in records(try raw(id)).suffix(2) { nonces.insert(Array(record.dropFirst(4).prefix(12))) }
        }
      }
      #expect(keys.count == 20 && nonces.count == 200)
    }
  }

  /// The service on an encrypted store: complete, aborted, checksum-failing and crashing requests.
  @Test(arguments: 1...3)
  func `come whole through requests of every kind`(seed: UInt64) async throws {
    try await inFolder {
      var generator = SplitMixGenerator(seed: seed)
      let block = chance.bytes(64 << 10)
      var bytes: [UInt8] = []
      for number in UInt8(0)..<160 {
        bytes.append(number)
        bytes += block.dropFirst()
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let store = try SQLiteStore(path: folder.path + "/mien.sqlite")
      func start() throws -> ScanService {
        ScanService(
          store: store, blobs: try FileBlobStore(folder.path + "/blobs"), uploads: try uploads(), clock: ManualClock(),
          settings: ScanSettings(),
          processor: ScanProcessor(work: { _ in ScanReport() }, depthImages: { _, _ in { _ in nil } }),
          generator: SystemRandomNumberGenerator())
      }
      var service = try start()
      let scan = try await service.create(
        [ScanService.Announced(name: "a.bin", bytes: bytes.count, type: nil)], subject: nil, label: nil, kind: .object,
        photosExpected: 0, owner: nil
      ).scan
      let upload = try #require(scan.files.first?.upload).text
      var rounds = 0
      while case let offset = try await service.upload(upload).offset, offset < bytes.count, rounds < 200 {
        rounds += 1
        let end = min(offset + Int.random(in: 1...6 << 20, using: &generator), bytes.count)
        let kind = Int.random(in: 0..<5, using: &generator)
        let sums = [1: ContentDigest(of: []).bytes, 4: ContentDigest(of: Array(bytes[offset..<end])).bytes]
        let piece = try await service.begin(
          upload, at: offset, announced: nil,
          checksum: sums[kind].map { UploadChecksum(algorithm: .sha256, bytes: $0) })
        var place = offset
        while place < end {
          let next = min(place + Int.random(in: 1...70_000, using: &generator), end)
          try await piece.take(Array(bytes[place..<next]))
          place = next
        }
        switch kind {
        case 0: service = try start()
        case 1: await #expect(throws: ServiceError.self) { _ = try await service.end(piece) }
        case 2: await service.breakOff(piece)
        default: #expect(try await service.end(piece) == end)
        }
      }
      // If the last request was aborted at the very end, submitting completes it.
      _ = try await service.submit(scan.id.text)
      let file = try #require(try await service.scan(scan.id.text).files.first)
      #expect(file.isWhole && file.digest == ContentDigest(of: bytes), "after \(rounds) requests")
    }
  }

  // MARK: - Tampering

  @Test func `tell where somebody changed a byte`() async throws {
    try await inFolder {
      let pieces = [30, 50, 20].map { chance.bytes($0) }
      let bytes = Array(pieces.joined())
      try await write(pieces, uploads(), id)
      let raw = try raw(id)
      for place in raw.indices {
        for bit in [UInt8(1), 0x80] {
          var changed = raw
          changed[place] ^= bit
          try put(changed, id)
          // A last record with a larger declared length is incomplete and counts as truncated.
          let found = try await whole(id, bytes.count)
          #expect(found == nil || found?.count ?? 0 < bytes.count && bytes.starts(with: found ?? []), "byte \(place)")
        }
      }
      try put(raw, id)
      #expect(try await whole(id, bytes.count) == bytes)
    }
  }

  @Test func `are not cut short, reordered, mixed or put in another's place`() async throws {
    try await inFolder {
      let pieces = (0..<4).map { _ in chance.bytes(100) }
      let bytes = Array(pieces.joined())
      try await write(pieces, uploads(), id)
      try await write(pieces, uploads(), other)
      let (raw, others) = (try raw(id), try self.raw(other))
      let (head, own, strange) = (raw[..<Self.head], records(raw), records(others))
      #expect(own.count == 4 && own.joined().count == raw.count - Self.head)
      let spoilt: [[ArraySlice<UInt8>]] = [
        [own[0], own[2], own[1], own[3]], [own[1], own[0], own[2], own[3]], [own[1], own[2], own[3]],
        [own[0], own[2], own[3]], [own[0], own[0], own[1], own[2], own[3]], [own[0], strange[1], own[2], own[3]],
        strange, [strange[0], own[1], own[2], own[3]],
      ]
      for (number, records) in spoilt.enumerated() {
        try put(head + records.joined(), id)
        #expect(try await whole(id, bytes.count) == nil, "\(number)")
      }
      // Without the last record the upload is shorter, and cannot be continued at the original offset.
      try put(head + own[..<3].joined(), id)
      #expect(try await whole(id, bytes.count) == Array(bytes[..<300]))
      let short = await #expect(throws: StoreError.self) { _ = try await uploads().open(id, at: 400) }
      #expect(short?.code == .missing)
      // Another upload's file, another header, another key.
      for file in [others, Array(others[..<Self.head] + raw[Self.head...])] {
        try put(file, id)
        #expect(try await whole(id, bytes.count) == nil)
      }
      try put(raw, id)
      #expect(try await whole(id, bytes.count, sampleSeal(2)) == nil)
      let strangeSeal = await #expect(throws: StoreError.self) {
        _ = try await uploads(sampleSeal(2)).open(id, at: 400)
      }
      #expect(strangeSeal?.code == .unavailable)
      #expect(try self.raw(id) == raw, "who cannot open it changes nothing")
    }
  }

  // MARK: - Unencrypted uploads and other keys

  @Test(arguments: [1, 40, 5000])
  func `from before go on as they are until they are whole`(count: Int) async throws {
    try await inFolder {
      let bytes = chance.bytes(count)
      let old = try FileUploadStore(folder.path)
      let writer = try await old.open(id, at: 0)
      try await writer.write(bytes)
      await writer.close()
      try await write([[7, 8]], uploads(), id, at: count)
      #expect(try raw(id) == bytes + [7, 8])
      #expect(try await uploads().read(id, 0..<count + 9) == bytes + [7, 8])
      try await write([[9]], uploads(), id, at: count - 1)
      #expect(try await uploads().read(id, 0..<count + 9) == bytes.dropLast() + [9], "anywhere, as they always did")
      // An upload without data starts over, encrypted.
      try await write([bytes], uploads(), id)
      #expect(try raw(id).count == Self.head + count + Self.around)
      #expect(try await uploads().read(id, 0..<count) == bytes)
    }
  }

  @Test func `under way when the seal is rotated go on, and what opens them goes when no scan needs it`() async throws {
    try await inFolder {
      let (old, new) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
      var ring = try #require(KeyringFile(old))
      func remove(waitingScans count: Int) async throws {
        try await ring.remove(at: UnixTime(milliseconds: 2000)) { _ in
          0
        } waitingScans: { _ in
          count
        }
      }
      try await write([[1, 2, 3]], uploads(sampleSeal(1)), id)
      ring.begin(new, at: UnixTime(milliseconds: 1000), entries: 0)
      let both = try #require(MasterKeyring(file: ring.bytes))
      #expect(try await uploads(both).read(id, 0..<9) == [1, 2, 3])
      try await write([[4]], uploads(both), id, at: 3)
      try await write([[5]], uploads(both), other)
      ring.end()
      try await remove(waitingScans: 1)
      let after = try #require(MasterKeyring(file: ring.bytes))
      try await write([[6]], uploads(after), id, at: 4)
      #expect(try await uploads(after).read(id, 0..<9) == [1, 2, 3, 4, 6])
      #expect(try await uploads(after).read(other, 0..<9) == [5])
      #expect(try await whole(other, 9, sampleSeal(1)) == nil, "the old file opens nothing of the new key's")
      try await remove(waitingScans: 0)
      let last = try #require(MasterKeyring(file: ring.bytes))
      #expect(try await whole(id, 9, last) == nil)
      #expect(try await uploads(last).read(other, 0..<9) == [5])
      // Restarted uploads use the newest key.
      try await write([[7]], uploads(last), id)
      #expect(try await uploads(last).read(id, 0..<9) == [7])
    }
  }
}

/// Store that counts reads, with a simulated full disk.
private final class CountingShelf: UploadStore {
  private struct State {
    var (reads, read) = (0, 0)
    var isFull = false
  }

  private let uploads: FileUploadStore
  private let state = Mutex(State())

  init(_ uploads: FileUploadStore) { self.uploads = uploads }

  var reads: Int { state.withLock { $0.reads } }
  var read: Int { state.withLock { $0.read } }
  func begin() { state.withLock { ($0.reads, $0.read) = (0, 0) } }
  func fillDisk() { state.withLock { $0.isFull = true } }
  func freeDisk() { state.withLock { $0.isFull = false } }

  func open(_ id: UploadID, at offset: Int) async throws -> any UploadWriter {
    Writer(try await uploads.open(id, at: offset)) { self.state.withLock { $0.isFull } }
  }

  func read(_ id: UploadID, _ range: Range<Int>) async throws -> [UInt8] {
    let bytes = try await uploads.read(id, range)
    state.withLock { state in
      state.reads += 1
      state.read += bytes.count
    }
    return bytes
  }

  func delete(_ id: UploadID) async throws -> Bool { try await uploads.delete(id) }

  func collectGarbage(keeping isWanted: @Sendable (UploadID) async throws -> Bool) async throws -> Int {
    try await uploads.collectGarbage(keeping: isWanted)
  }

  /// Writes half of the data if the disk is full, and throws.
  private struct Writer: UploadWriter {
    let writer: any UploadWriter
    let isFull: @Sendable () -> Bool

    init(_ writer: any UploadWriter, isFull: @escaping @Sendable () -> Bool) {
      self.writer = writer
      self.isFull = isFull
    }

    func write(_ bytes: [UInt8]) async throws {
      guard isFull() else { return try await writer.write(bytes) }
      try await writer.write(Array(bytes[..<(bytes.count / 2)]))
      throw StoreError(.unavailable, reason: "The disk is full.")
    }

    func synchronize() async throws { try await writer.synchronize() }
    func close() async { await writer.close() }
  }
}
