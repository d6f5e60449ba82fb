import MienTestGenerators
import Foundation
import MienCore
import MienPlatform
import MienSecurity
import MienTestSupport
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@testable import MienBlobsS3

@Suite(.enabled(if: S3Peer.isInstalled), .serialized) struct `S3 blob store` {
  private static let peer = Result { try S3Peer() }
  private let bucket: S3Bucket

  init() throws { bucket = try S3Bucket(try Self.peer.get()) }

  private var id: BlobID { get throws { try #require(BlobID("b-large")) } }

  private static func bytes(_ count: Int) -> [UInt8] {
    var generator = SplitMixGenerator(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  private func keep(_ bytes: [UInt8], in store: S3BlobStore, as id: BlobID) async throws -> BlobInfo {
    let writer = try await store.begin(id)
    do {
      for start in stride(from: 0, to: bytes.count, by: 50_000) {
        try await writer.write(Array(bytes[start..<min(start + 50_000, bytes.count)]))
      }
      return try await writer.commit()
    } catch {
      await writer.discard()
      throw error
    }
  }

  @Test func `conforms to the blob store contract`() async throws { try await checkBlobStore { try bucket.store() } }

  @Test func `conforms to the blob writer contract`() async throws { try await checkBlobWriter { try bucket.store() } }

  @Test(arguments: [1000, 64 << 10, 300_000])
  func `the beginning of a single-part or multipart blob can be overwritten`(size: Int) async throws {
    try await checkBlobOverwriting(try bucket.store(), size: size)
    #expect(try bucket.peer.contents(bucket.name).uploads.isEmpty)
  }

  @Test func `conforms to the contract with virtual-hosted bucket addresses`() async throws {
    let text = "s3://\(bucket.name)/tests?endpoint=http://s3.amazonaws.com:\(bucket.peer.port)&style=virtual"
    let address = try #require(S3Address(text))
    #expect(address.host.hasPrefix(bucket.name + "."))
    try await checkBlobStore {
      try bucket.store(try bucket.client(address, names: ["\(bucket.name).s3.amazonaws.com": "127.0.0.1"]))
    }
  }

  @Test func `conforms to the contracts with encryption`() async throws {
    let generator = Mutex(SplitMixGenerator(seed: 1))
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
    func sealed() throws -> EncryptedBlobStore {
      EncryptedBlobStore(try bucket.store(), keyring: keyring) { count in
        generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
      }
    }
    try await checkBlobStore(sealed)
    try await checkBlobWriter(sealed)
  }

  @Test(arguments: [64 << 10, 64 << 10 + 1, 300_000])
  func `blobs of any size are read whole and by range`(size: Int) async throws {
    let (bytes, id, store) = (Self.bytes(size), try id, try bucket.store())
    let written = try await keep(bytes, in: store, as: id)
    #expect(written.size == size && written.digest == ContentDigest(of: bytes).bytes)
    let other = try bucket.store()
    #expect(try await other.size(of: id) == size)
    #expect(try await other.read(id, 0..<size) == bytes)
    for range in [0..<1, 100..<200, size - 1..<size + 5, (64 << 10) - 3..<(64 << 10) + 3] {
      #expect(try await other.read(id, range) == Array(bytes[range.clamped(to: 0..<size)]))
    }
    #expect(try bucket.peer.contents(bucket.name).uploads.isEmpty)
    let second = await #expect(throws: StoreError.self) { _ = try await keep(bytes, in: store, as: id) }
    #expect(second?.code == .duplicate)
    #expect(try bucket.peer.contents(bucket.name).uploads.isEmpty, "no upload of the second writer remains")
  }

  @Test func `parts have a size accepted by every S3 service`() async throws {
    let real = try S3Bucket(bucket.peer, part: S3Client.Limits().part)
    let (bytes, id, store) = ([UInt8](repeating: 7, count: 11 << 20), try id, try real.store())
    let writer = try await store.begin(id)
    try await writer.write(bytes)
    #expect(try await writer.commit().digest == ContentDigest(of: bytes).bytes)
    #expect(try await store.read(id, 0..<bytes.count) == bytes)
    #expect(S3Client.Limits().part == 5 << 20)
  }

  @Test func `an incomplete upload is invisible and leaves nothing behind`() async throws {
    let (store, id) = (try bucket.store(), try id)
    let writer = try await store.begin(id)
    try await writer.write(Self.bytes(200_000))
    #expect(try await store.size(of: id) == nil)
    #expect(try bucket.peer.contents(bucket.name).uploads == ["tests/b-large"])
    await writer.discard()
    #expect(try bucket.peer.contents(bucket.name).uploads.isEmpty)
    let closed = await #expect(throws: StoreError.self) { _ = try await writer.commit() }
    #expect(closed?.code == .unavailable)
  }

  @Test func `a canceled upload leaves nothing behind`() async throws {
    let (store, id) = (try bucket.store(), try id)
    let writer = try await store.begin(id)
    try await writer.write(Self.bytes(200_000))
    let gate = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in gate.stream {}
      #expect(Task.isCancelled)
      await writer.discard()
    }
    task.cancel()
    gate.continuation.finish()
    await task.value
    #expect(try bucket.peer.contents(bucket.name).uploads.isEmpty)
  }

  @Test func `blobs of a crashed process are collected after the grace period`() async throws {
    _ = try await keep([1, 2, 3], in: try bucket.store(), as: try #require(BlobID("b-orphan")))
    _ = try await keep([4], in: try bucket.store(), as: try #require(S3BlobStore.installationMarker))
    try await bucket.putForeignObject("tests/read.me.txt")
    var delayed = bucket
    delayed.grace = .seconds(3600)
    #expect(try await delayed.store().collectGarbage { _ in false } == 0, "another server may just have written them")
    let dead = try await bucket.store().begin(try id)
    try await dead.write(Self.bytes(100_000))
    #expect(try bucket.peer.contents(bucket.name).uploads.count == 1)
    #expect(try await bucket.store().collectGarbage { _ in false } == 2)
    let left = try bucket.peer.contents(bucket.name)
    #expect(left.uploads.isEmpty && left.keys == ["tests/mien-installation", "tests/read.me.txt"])
    await dead.discard()
  }

  @Test func `blobs are listed page by page`() async throws {
    var small = bucket
    small.limits.page = 2
    let store = try small.store()
    let names = (0..<5).map { "b-\($0)" }
    for name in names { _ = try await keep([1], in: store, as: try #require(BlobID(name))) }
    #expect(try await store.kept().map(\.text) == names)
    var drafts: [any BlobWriter] = []
    for name in names {
      drafts.append(try await store.begin(try #require(BlobID(name))))
      try await drafts[drafts.count - 1].write([UInt8](repeating: 0, count: 64 << 10 + 1))
    }
    #expect(try await small.store().collectGarbage { _ in true } == 5)
    #expect(try await small.store().collectGarbage { $0.text != "b-3" } == 1)
    #expect(try bucket.peer.contents(bucket.name).uploads.isEmpty)
    for draft in drafts { await draft.discard() }
  }

  @Test(arguments: ["refuse", "drop", "lose", "cut"], ["PUT", "POST", "GET"])
  func `intermittent errors are retried`(kind: String, method: String) async throws {
    let (bytes, id, store) = (Self.bytes(100_000), try id, try bucket.store())
    try bucket.peer.fault(kind, count: 2, method: method)
    let written = try await keep(bytes, in: store, as: id)
    #expect(written.digest == ContentDigest(of: bytes).bytes)
    #expect(try await store.read(id, 0..<bytes.count) == bytes)
    try bucket.peer.order("clear_faults")
    let small = try #require(BlobID("b-small"))
    try bucket.peer.fault(kind, count: 2)
    #expect(
      try await keep([1, 2], in: store, as: small).size == 2, "the writer recognizes its own blob after a lost reply")
    #expect(try await store.read(small, 0..<2) == [1, 2])
    try bucket.peer.order("clear_faults")
    #expect(try await store.delete(small))
    let left = try bucket.peer.contents(bucket.name)
    #expect(left.keys == ["tests/b-large"])
  }

  @Test func `a lost reply to the completion of an upload is handled`() async throws {
    let (bytes, id, store) = (Self.bytes(100_000), try id, try bucket.store())
    for kind in ["lose", "cut"] {
      let writer = try await store.begin(id)
      try await writer.write(bytes)
      try bucket.peer.fault(kind, method: "POST", part: "?uploadId=")
      #expect(try await writer.commit().size == bytes.count)
      #expect(try await store.delete(id))
    }
  }

  @Test(arguments: ["refuse", "drop"])
  func `an unreachable store is reported as unavailable and recovers`(kind: String) async throws {
    let quick = bucket.trying(2)
    let (store, id) = (try quick.store(), try id)
    _ = try await keep([1, 2, 3], in: store, as: id)
    try bucket.peer.fault(kind, count: -1)
    let other = try #require(BlobID("b-other"))
    let acts: [@Sendable () async throws -> Void] = [
      { _ = try await self.keep([4], in: store, as: other) },
      { _ = try await self.keep(Self.bytes(100_000), in: store, as: other) },
      { _ = try await quick.store().read(id, 0..<3) }, { _ = try await quick.store().size(of: id) },
      { _ = try await store.delete(id) }, { _ = try await store.collectGarbage { _ in true } },
    ]
    for act in acts {
      let error = await #expect(throws: StoreError.self) { try await act() }
      #expect(error?.code == .unavailable)
      for secret in [S3Peer.secret, "MIENTEST", "b-large", "b-other", "Signature="] {
        #expect(error?.reason.contains(secret) == false)
      }
    }
    try bucket.peer.order("clear_faults")
    #expect(try await quick.store().read(id, 0..<3) == [1, 2, 3])
    #expect(try bucket.peer.contents(bucket.name).keys == ["tests/b-large"])
  }

  @Test func `an unreachable store is not called repeatedly`() async throws {
    let (store, id) = (try bucket.store(), try id)
    try bucket.peer.fault("refuse", count: -1)
    try bucket.peer.order("take_requests")
    for count in [bucket.limits.tries, 1, 1] {
      await #expect(throws: StoreError.self) { _ = try await store.size(of: id) }
      let requests = try JSONDecoder().decode([RecordedRequest].self, from: try bucket.peer.order("take_requests"))
      #expect(requests.count == count)
    }
    try bucket.peer.order("clear_faults")
    #expect(try await store.size(of: id) == nil)
    try bucket.peer.fault("refuse", count: 2)
    #expect(try await store.size(of: id) == nil, "after recovery, requests are retried again")
    try bucket.peer.order("clear_faults")
  }

  /// Recorded request, whose contents are not needed.
  private struct RecordedRequest: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  @Test func `a store that does not respond times out`() async throws {
    var quick = bucket.trying(1)
    quick.limits.idle = .milliseconds(200)
    try bucket.peer.order("inject_fault", ["kind": "slow", "count": 1, "seconds": 600])
    let store = try quick.store()
    let error = await #expect(throws: StoreError.self) { _ = try await store.size(of: try id) }
    #expect(error?.reason.contains("in time") == true)
    try bucket.peer.order("clear_faults")
  }

  @Test func `a store marked unavailable gets a shorter timeout than a healthy one`() async throws {
    var bucket = bucket
    bucket.limits.doubtful = .milliseconds(200)
    let (store, id) = (try bucket.store(), try id)
    _ = try await keep([1, 2, 3], in: store, as: id)
    let late: [String: any Sendable] = ["kind": "slow", "count": -1, "seconds": 1]
    try bucket.peer.order("inject_fault", late)
    #expect(try await store.read(id, 0..<3) == [1, 2, 3], "an available store is awaited")
    try bucket.peer.order("clear_faults")
    let other = try #require(BlobID("b-other"))
    try bucket.peer.fault("refuse", count: -1)
    await #expect(throws: StoreError.self) { _ = try await store.size(of: other) }
    try bucket.peer.order("clear_faults")
    try bucket.peer.order("inject_fault", ["kind": "slow", "count": 1, "seconds": 600])
    let error = await #expect(throws: StoreError.self) { _ = try await store.size(of: other) }
    #expect(error?.reason.contains("in time") == true)
    try bucket.peer.order("inject_fault", late)
    #expect(try await keep([4], in: store, as: other).size == 1, "a request with a body is not shortened")
    #expect(try await store.delete(other), "the response showed that the store is available")
    try bucket.peer.order("clear_faults")
  }

  @Test func `the store reports its availability`() async throws {
    var patient = bucket.trying(5)
    patient.limits.doubtful = .seconds(600)
    let store = try patient.store()
    try await checkHealthCheckable(store) { try await store.kept() }
    _ = try await keep([1], in: store, as: try #require(S3BlobStore.installationMarker))
    try await checkHealthCheckable(store) { try await store.kept() }
    for kind in ["refuse", "drop"] {
      try bucket.peer.fault(kind)
      await #expect(throws: StoreError.self, "the check makes one attempt") { try await store.reach() }
      try await store.reach()
    }
    var quick = patient
    quick.limits.doubtful = .milliseconds(200)
    try bucket.peer.order("inject_fault", ["kind": "slow", "count": 1, "seconds": 600])
    await #expect(throws: StoreError.self) { try await quick.store().reach() }
    try bucket.peer.order("clear_faults")
    let unauthorized = try patient.store(try patient.client(secret: "wrong"))
    await #expect(throws: StoreError.self, "nothing can be stored with these keys") { try await unauthorized.reach() }
  }

  @Test func `an error in bucket, key or endpoint is reported`() async throws {
    let quick = bucket.trying(1)
    func reason(_ client: S3Client) async throws -> String? {
      let store = S3BlobStore(client, prefix: "tests/", grace: .zero)
      let error = await #expect(throws: StoreError.self) { _ = try await store.size(of: try id) }
      return error?.reason
    }
    #expect(try await reason(try quick.client(secret: "wrong"))?.contains("AWS_SECRET_ACCESS_KEY") == true)
    let nowhere = try #require(S3Address("s3://mien-nowhere?endpoint=http://127.0.0.1:\(bucket.peer.port)"))
    #expect(try await reason(try quick.client(nowhere))?.contains("no such bucket") == true)
    let silent = try #require(S3Address("s3://mien-nowhere?endpoint=http://127.0.0.1:9"))
    #expect(try await reason(try quick.client(silent))?.contains("cannot be reached") == true)
  }

  @Test func `a bucket with versioning is reported`() async throws {
    #expect(try await bucket.store().keepsOldVersions() == false)
    try bucket.peer.order("bucket", ["name": bucket.name, "versioning": true])
    #expect(try await bucket.store().keepsOldVersions() == true)
  }

  @Test func `a presigned URL reads one blob`() async throws {
    let (store, id) = (try bucket.store(), try id)
    _ = try await keep(Array("hello".utf8), in: store, as: id)
    func get(_ text: String) async throws -> (String, Int?) {
      let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: text)))
      return (String(decoding: data, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode)
    }
    let address = store.presigned(id, for: .seconds(600))
    #expect(try await get(address) == ("hello", 200))
    #expect(try await get(address.replacingOccurrences(of: "b-large", with: "b-other")).1 == 403)
    #expect(try await get(address.replacingOccurrences(of: "X-Amz-Expires=600", with: "X-Amz-Expires=900")).1 == 403)
  }
}

extension S3Bucket {
  /// Returns the same bucket with a limited number of attempts.
  func trying(_ tries: Int) -> S3Bucket {
    var quick = self
    quick.limits.tries = tries
    return quick
  }

  /// Stores an object that was not created by the blob store.
  func putForeignObject(_ key: String) async throws {
    _ = try await client().send(S3Request(.PUT, key))
  }
}
