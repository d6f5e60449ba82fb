/// Writes one result of the work on a scan piece by piece, so that it need not be whole in memory.
public struct ScanResultWriter: Sendable {
  /// Most bytes that the store is given at once: a store may copy them, and sealed they are as many again.
  static let largestPiece = 1 << 20

  private let writer: any BlobWriter

  init(_ writer: any BlobWriter) { self.writer = writer }

  /// Appends; returns when the bytes need not be held any longer.
  public func append(_ bytes: [UInt8]) async throws {
    guard bytes.count > Self.largestPiece else { return try await writer.write(bytes) }
    for start in stride(from: 0, to: bytes.count, by: Self.largestPiece) {
      try await writer.write(Array(bytes[start..<min(start + Self.largestPiece, bytes.count)]))
    }
  }
}
