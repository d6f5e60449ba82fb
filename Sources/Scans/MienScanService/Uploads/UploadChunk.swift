public import MienPlatform
internal import Crypto

/// The sender's checksum of a chunk.
public struct UploadChecksum: Hashable, Sendable {
  public enum Algorithm: String, Hashable, Sendable, CaseIterable {
    case sha256, sha1
  }

  public let algorithm: Algorithm
  public let bytes: [UInt8]

  public init(algorithm: Algorithm, bytes: [UInt8]) {
    self.algorithm = algorithm
    self.bytes = bytes
  }
}

/// A chunk of an upload: the bytes of one request.
///
/// Without a checksum, received bytes are stored even if the request is aborted, and recorded every few megabytes, so
/// that they survive a crash. With a checksum, nothing is stored before all bytes are verified.
public actor UploadChunk {
  /// Number of bytes after which received data is synchronized and recorded.
  private static let stride = 4 << 20
  private static let buffered = 256 << 10

  public let id: UploadID
  /// `nil` for the empty chunk of an upload that is complete.
  private let writer: UploadWriter?
  private let checksum: UploadChecksum?
  private let length: Int
  /// Offset up to which bytes are synchronized and recorded.
  private(set) var offset: Int
  /// Digest of the upload's bytes up to ``offset``; `nil` if earlier bytes were received by another process.
  private(set) var digest: ContentDigest.Running?
  /// Digest of all bytes taken.
  private var taken: ContentDigest.Running?
  /// Number of bytes written since then.
  private var pending = 0
  private var isBroken = false
  private var buffer: [UInt8] = []
  private var sha256 = SHA256()
  private var sha1 = Insecure.SHA1()

  init(
    _ id: UploadID, writer: UploadWriter?, at offset: Int, digest: ContentDigest.Running?, length: Int,
    checksum: UploadChecksum?
  ) {
    self.id = id
    self.writer = writer
    self.offset = offset
    self.digest = digest
    taken = digest
    self.length = length
    self.checksum = checksum
  }

  /// Adds the next bytes.
  ///
  /// - Throws: ``ServiceError`` with `bodyTooLarge` if the file exceeds its announced size.
  public func take(_ bytes: [UInt8]) async throws {
    guard offset + pending + buffer.count + bytes.count <= length else {
      throw ServiceError(.bodyTooLarge, "The upload was announced with \(length) bytes; this request sends more.")
    }
    switch checksum?.algorithm {
    case .sha256?: sha256.update(data: bytes)
    case .sha1?: sha1.update(data: bytes)
    case nil: break
    }
    taken?.take(bytes[...])
    buffer += bytes
    if buffer.count >= Self.buffered { try await flush() }
    if checksum == nil, pending >= Self.stride { try await synchronize() }
  }

  /// Finishes the chunk after its last byte; returns the new offset.
  ///
  /// - Throws: ``ServiceError`` with `checksumMismatch`; nothing of the chunk is stored in that case.
  func end() async throws -> Int {
    try await flush()
    if let checksum {
      let digest = checksum.algorithm == .sha256 ? Array(sha256.finalize()) : Array(sha1.finalize())
      guard digest == checksum.bytes else {
        throw ServiceError(.checksumMismatch, "The bytes do not match Upload-Checksum. Send them again.")
      }
    }
    try await synchronize()
    return offset
  }

  /// Aborts the chunk; stores what may be stored.
  func breakOff() async {
    // Bytes that cannot be stored now are sent again.
    if checksum == nil { try? await flushAndSynchronize() }
  }

  func close() async { await writer?.close() }

  private func flushAndSynchronize() async throws {
    try await flush()
    try await synchronize()
  }

  private func flush() async throws {
    guard !buffer.isEmpty else { return }
    // Data that a failing disk accepted in part is not written twice.
    defer { buffer.removeAll(keepingCapacity: true) }
    try await writer?.write(buffer)
    pending += buffer.count
  }

  private func synchronize() async throws {
    guard pending > 0 else { return }
    // A disk reports a failed write only once; the next synchronization would report success.
    guard !isBroken else { throw StoreError(.unavailable, reason: "The disk failed to store an upload.") }
    do {
      try await writer?.synchronize()
    } catch {
      isBroken = true
      throw error
    }
    offset += pending
    pending = 0
    digest = taken
  }
}
