internal import Crypto

/// What a sender says the bytes of a piece come to.
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

/// A piece of a file that is coming in: the bytes of one request.
///
/// Without a checksum what came is kept even when the piece breaks off, and noted every few megabytes, so that it
/// outlives the process. With one nothing is kept before all of it was found right.
public actor UploadChunk {
  /// Bytes after which what came is synchronised and noted.
  private static let stride = 4 << 20
  private static let buffered = 256 << 10

  public let id: UploadID
  private let writer: any UploadWriter
  private let checksum: UploadChecksum?
  private let length: Int
  private let note: @Sendable (Int) async throws -> Void
  /// On the disk and noted.
  private var offset: Int
  /// Written since.
  private var pending = 0
  private var isBroken = false
  private var buffer: [UInt8] = []
  private var sha256 = SHA256()
  private var sha1 = Insecure.SHA1()

  init(
    _ id: UploadID, writer: any UploadWriter, at offset: Int, length: Int, checksum: UploadChecksum?,
    note: @escaping @Sendable (Int) async throws -> Void
  ) {
    self.id = id
    self.writer = writer
    self.offset = offset
    self.length = length
    self.checksum = checksum
    self.note = note
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``ServiceError`` with `bodyTooLarge` for more than the file was announced with.
  public func take(_ bytes: [UInt8]) async throws {
    guard offset + pending + buffer.count + bytes.count <= length else {
      throw ServiceError(.bodyTooLarge, "The upload was announced with \(length) bytes; these are more.")
    }
    switch checksum?.algorithm {
    case .sha256?: sha256.update(data: bytes)
    case .sha1?: sha1.update(data: bytes)
    case nil: break
    }
    buffer += bytes
    if buffer.count >= Self.buffered { try await flush() }
    if checksum == nil, pending >= Self.stride { try await settle() }
  }

  /// All bytes came; returns the new offset.
  ///
  /// - Throws: ``ServiceError`` with `checksumMismatch`; then nothing of the piece is kept.
  func end() async throws -> Int {
    try await flush()
    if let checksum {
      let digest = checksum.algorithm == .sha256 ? Array(sha256.finalize()) : Array(sha1.finalize())
      guard digest == checksum.bytes else {
        throw ServiceError(.checksumMismatch, "The bytes are not those of Upload-Checksum; send the piece again.")
      }
    }
    try await settle()
    return offset
  }

  /// No more bytes come; keeps what may be kept.
  func breakOff() async {
    // What cannot be kept now is sent again.
    if checksum == nil { try? await settleAll() }
  }

  func close() async { await writer.close() }

  private func settleAll() async throws {
    try await flush()
    try await settle()
  }

  private func flush() async throws {
    guard !buffer.isEmpty else { return }
    // What a failing disk took in part is not written twice.
    defer { buffer.removeAll(keepingCapacity: true) }
    try await writer.write(buffer)
    pending += buffer.count
  }

  private func settle() async throws {
    guard pending > 0 else { return }
    // A disk says once that it did not take what was written; asked again it says that all is well.
    guard !isBroken else { throw StoreError(.unavailable, reason: "The disk did not take an upload.") }
    do {
      try await writer.synchronize()
    } catch {
      isBroken = true
      throw error
    }
    offset += pending
    pending = 0
    try await note(offset)
  }
}
