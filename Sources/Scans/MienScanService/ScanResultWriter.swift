internal import MienPlatform

/// Writes one processing result incrementally, so that it does not have to fit in memory.
public struct ScanResultWriter: Sendable {
  /// Maximum number of bytes passed to the store at once: a store may copy them, and encryption doubles them.
  static let largestPiece = 1 << 20

  private let writer: any BlobWriter

  init(_ writer: any BlobWriter) { self.writer = writer }

  /// Appends bytes; returns when they no longer need to be held.
  public func append(_ bytes: [UInt8]) async throws {
    guard bytes.count > Self.largestPiece else { return try await writer.write(bytes) }
    for start in stride(from: 0, to: bytes.count, by: Self.largestPiece) {
      try await writer.write(Array(bytes[start..<min(start + Self.largestPiece, bytes.count)]))
    }
  }
}
