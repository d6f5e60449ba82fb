import MienTestGenerators
import Foundation
import MienBlobs
import MienPlatform
import MienSecurity
import MienTestSupport
import Synchronization
import Testing

/// Encryption of blobs at rest.
@Suite struct `Encrypted blob store` {
  private static let chunk = 65_536

  private let folder: URL
  private let store: FileBlobStore
  private let id: BlobID

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-sealed-\(UUID())")
    store = try FileBlobStore(folder.path)
    id = try #require(BlobID("b-one"))
  }

  private func sealed(_ byte: UInt8 = 1) throws -> EncryptedBlobStore {
    let generator = Mutex(SplitMixGenerator(seed: 1))
    return EncryptedBlobStore(store, keyring: try #require(MasterKeyring(key: [UInt8](repeating: byte, count: 32)))) {
      count in
      generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    }
  }

  private var file: URL { folder.appendingPathComponent("ne/b-one") }

  @discardableResult
  private func keep(_ bytes: [UInt8], in pieces: Int = 1000) async throws -> BlobInfo {
    let writer = try await sealed().begin(id)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      try await writer.write(Array(bytes[start..<min(start + pieces, bytes.count)]))
    }
    return try await writer.commit()
  }

  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

  @Test func `conforms to the blob store contract`() async throws { try await checkBlobStore { try sealed() } }

  @Test func `data keys are rewrapped under a new master key and contents are unchanged`() async throws {
    let (old, new) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    var ring = try #require(KeyringFile(old))
    ring.begin(new, at: UnixTime(milliseconds: 5), entries: 0)
    func sealed(_ keyring: KeyringFile) throws -> EncryptedBlobStore {
      EncryptedBlobStore(store, keyring: try #require(MasterKeyring(file: keyring.bytes))) {
        [UInt8](repeating: 7, count: $0)
      }
    }
    let bytes = bytes(Self.chunk + 9)
    try await keep(bytes)
    let before = try Data(contentsOf: file)
    #expect(try await sealed(ring).read(id, 0..<bytes.count) == bytes, "an older key decrypts")
    #expect(try await sealed(ring).renew(id) == .renewed)
    #expect(try await sealed(ring).renew(id) == .asItWas, "the key is already under the newest key")
    let after = try Data(contentsOf: file)
    #expect(after.count == before.count && after.dropFirst(72) == before.dropFirst(72) && after != before)
    ring.end()
    #expect(try await sealed(ring).read(id, 0..<bytes.count) == bytes)
    await #expect(throws: StoreError.self) { _ = try await sealed(try #require(KeyringFile(old))).read(id, 0..<9) }
    let strange = try #require(KeyringFile([UInt8](repeating: 3, count: 32)))
    #expect(try await sealed(strange).renew(id) == .strange)
    #expect(try Data(contentsOf: file) == after, "a caller that cannot decrypt it changes nothing")
    // Blobs from before the introduction of encryption stay unchanged.
    let plain = try #require(BlobID("b-plain"))
    let writer = try await store.begin(plain)
    try await writer.write(bytes)
    _ = try await writer.commit()
    #expect(try await sealed(ring).renew(plain) == .strange)
    #expect(try await sealed(ring).renew(try #require(BlobID("b-none"))) == .asItWas)
  }

  @Test func `conforms to the blob writer contract`() async throws { try await checkBlobWriter { try sealed() } }

  @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 7])
  func `blobs of any size are read whole and by range`(size: Int) async throws {
    let bytes = bytes(size)
    let written = try await keep(bytes)
    #expect(written.size == size && written.digest == ContentDigest(of: bytes).bytes)
    let store = try sealed()
    #expect(try await store.size(of: id) == size)
    #expect(try await store.read(id, 0..<size) == bytes)
    for range in [0..<1, size / 2..<size, Self.chunk - 2..<Self.chunk + 2, size..<size + 9, 0..<size + 9] {
      let wanted = range.clamped(to: 0..<size)
      #expect(try await store.read(id, range) == Array(bytes[wanted]), "\(range) of \(size)")
    }
  }

  @Test(arguments: [1 << 20, 300_000, 65_536])
  func `reads across chunk boundaries of a large blob are correct`(pieces: Int) async throws {
    let size = 66 * Self.chunk + 9
    let bytes = bytes(size)
    let written = try await keep(bytes, in: pieces)
    #expect(written.size == size && written.digest == ContentDigest(of: bytes).bytes)
    let store = try sealed()
    for range in [0..<size, 64 * Self.chunk - 1..<64 * Self.chunk + 1, Self.chunk + 5..<65 * Self.chunk + 6] {
      #expect(try await store.read(id, range) == Array(bytes[range]), "\(range)")
    }
  }

  @Test func `stored bytes are unreadable without the master key`() async throws {
    let text = Array(String(repeating: "a face ", count: 20_000).utf8)
    try await keep(text)
    let raw = try Data(contentsOf: file)
    #expect(raw.range(of: Data("face".utf8)) == nil)
    #expect(raw.count == 72 + text.count + 3 * 16)
    let refusal = await #expect(throws: StoreError.self) { _ = try await sealed(2).read(id, 0..<10) }
    #expect(refusal?.code == .unavailable)
  }

  @Test(arguments: [0, 20, 71, 72, 40_000, 65_623, 65_624, 70_000, -1])
  func `a changed byte is detected`(place: Int) async throws {
    try await keep(bytes(Self.chunk + 5000))
    var raw = [UInt8](try Data(contentsOf: file))
    let changed = place < 0 ? raw.count + place : place
    raw[changed] ^= 1
    try Data(raw).write(to: file)
    await #expect(throws: StoreError.self) { _ = try await sealed().read(id, 0..<Self.chunk + 5000) }
  }

  @Test func `truncated, reordered or swapped blobs are detected`() async throws {
    try await keep(bytes(3 * Self.chunk))
    let raw = [UInt8](try Data(contentsOf: file))
    let chunk = Self.chunk + 16
    let swapped = raw[..<72] + raw[(72 + chunk)..<(72 + 2 * chunk)] + raw[72..<(72 + chunk)] + raw[(72 + 2 * chunk)...]
    for spoiled in [raw[..<(72 + 2 * chunk)], raw[..<(72 + chunk)], raw[..<(72 + chunk + 100)], swapped] {
      try Data(spoiled).write(to: file)
      await #expect(throws: StoreError.self) { _ = try await sealed().read(id, 0..<3 * Self.chunk) }
    }
    let other = try #require(BlobID("c-one"))
    let taken = try await store.begin(other)
    try await taken.write(raw)
    _ = try await taken.commit()
    await #expect(throws: StoreError.self) { _ = try await sealed().read(other, 0..<1) }
  }

  @Test func `unencrypted blobs are rejected`() async throws {
    let writer = try await store.begin(id)
    try await writer.write(bytes(200))
    _ = try await writer.commit()
    await #expect(throws: StoreError.self) { _ = try await sealed().read(id, 10..<20) }
  }
}
