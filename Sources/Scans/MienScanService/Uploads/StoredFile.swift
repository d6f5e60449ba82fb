internal import MienPlatform

/// The bytes of a file in the blob store: one blob, or the chunks that an upload consists of.
public struct StoredFile: Sendable {
  let chunks: [StoredChunk]
  private let blobs: any BlobStore

  /// - Parameter chunks: in order and without gaps.
  init(_ chunks: [StoredChunk], in blobs: any BlobStore) {
    self.chunks = chunks
    self.blobs = blobs
  }

  /// Number of bytes.
  public var count: Int { chunks.reduce(0) { $0 + $1.range.count } }

  /// Reads a range of the bytes, truncated at the end of the file.
  public func read(_ range: Range<Int>) async throws -> [UInt8] {
    let wanted = range.clamped(to: 0..<count)
    // Binary search: a large file has hundreds of chunks, and is read in thousands of ranges.
    var (first, end) = (0, chunks.count)
    while first < end {
      let middle = (first + end) / 2
      if chunks[middle].range.upperBound <= wanted.lowerBound { first = middle + 1 } else { end = middle }
    }
    var bytes: [UInt8] = []
    for chunk in chunks[first...] {
      let part = chunk.range.clamped(to: wanted)
      guard !part.isEmpty else { break }
      let start = chunk.range.lowerBound
      let read = try await blobs.read(chunk.blob, part.lowerBound - start..<part.upperBound - start)
      guard read.count == part.count else {
        throw StoreError(.unavailable, reason: "A chunk of a file is shorter than recorded.")
      }
      if part == wanted { return read }
      if bytes.isEmpty { bytes.reserveCapacity(wanted.count) }
      bytes += read
    }
    return bytes
  }

  /// Computes the digest of the whole file.
  func digest() async throws -> ContentDigest {
    var digest = ContentDigest.Running()
    for start in stride(from: 0, to: count, by: 1 << 20) {
      digest.take(try await read(start..<min(start + 1 << 20, count))[...])
    }
    return digest.digest
  }
}
