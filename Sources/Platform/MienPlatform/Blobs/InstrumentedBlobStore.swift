internal import Synchronization

/// Measures the durations of another blob store's operations.
public struct InstrumentedBlobStore: BlobStore {
  private let store: any BlobStore
  private let kind: OperationTimings.BlobStoreKind
  private let times: OperationTimings

  public init(_ store: any BlobStore, _ kind: OperationTimings.BlobStoreKind, times: OperationTimings) {
    self.store = store
    self.kind = kind
    self.times = times
  }

  public func begin(_ id: BlobID) async throws -> any BlobWriter {
    InstrumentedBlobWriter(try await store.begin(id), .blob(kind, .put), times)
  }

  public func begin(_ id: BlobID, isDigested: Bool) async throws -> any BlobWriter {
    InstrumentedBlobWriter(try await store.begin(id, isDigested: isDigested), .blob(kind, .put), times)
  }

  public func nearby<Value>(_ work: () async throws -> Value) async throws -> Value { try await store.nearby(work) }

  public func size(of id: BlobID) async throws -> Int? { try await store.size(of: id) }

  public func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] {
    try await times.measuring(.blob(kind, .get), as: "blob.get", bytes: range.count) { try await store.read(id, range) }
  }

  public func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    try await times.measuring(.blob(kind, .put), as: "blob.overwrite", bytes: head.count) {
      try await store.overwrite(id, beginningWith: head)
    }
  }

  public func delete(_ id: BlobID) async throws -> Bool {
    try await times.measuring(.blob(kind, .delete), as: "blob.delete") { try await store.delete(id) }
  }

  public func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await store.collectGarbage(keeping: wanted)
  }
}

/// Adds up the time that the store spends on a whole file, without the time spent waiting for the next bytes. Traced as
/// one span, from the first byte to the last.
private final class InstrumentedBlobWriter: BlobWriter {
  private let writer: any BlobWriter
  private let work: OperationTimings.Work
  private let times: OperationTimings
  private let spent = Mutex(Duration.zero)
  /// `nil` once the span has ended.
  private let span: Mutex<ActiveSpan?>

  init(_ writer: any BlobWriter, _ work: OperationTimings.Work, _ times: OperationTimings) {
    self.writer = writer
    self.work = work
    self.times = times
    span = Mutex(times.begin(work, as: "blob.put"))
  }

  func write(_ bytes: [UInt8]) async throws {
    let took = try await ContinuousClock().measure { try await writer.write(bytes) }
    spent.withLock { $0 += took }
  }

  func commit() async throws -> BlobInfo {
    var written: BlobInfo?
    let took = try await ContinuousClock().measure { written = try await writer.commit() }
    times.note(work, took: spent.withLock { $0 } + took)
    guard let written else { preconditionFailure("a committed blob was written") }
    let kept = span.withLock { $0.take() }
    kept?.note([.bytes(written.size)])
    kept?.end()
    return written
  }

  func discard() async {
    span.withLock { $0.take() }?.end(.failed(Discarded()))
    await writer.discard()
  }

  /// The file was no longer needed, or could not be written completely.
  private struct Discarded: Error {}
}
