internal import MienPlatform
internal import MienCaptures
internal import NIOCore

/// Writes the images of a burst consecutively to one file, and computes the digest of each.
struct BurstWriter {
  private(set) var burst: CaptureDraft.Burst
  private var sink: BufferedBlobWriter
  private var digest = ContentDigest.Running()
  private var head: [UInt8] = []
  /// Size of the current image in bytes.
  private(set) var size = 0

  init(_ file: PendingBlob) {
    burst = CaptureDraft.Burst(file: file)
    sink = BufferedBlobWriter(file)
  }

  /// Total size of all images so far in bytes.
  var total: Int { sink.size }

  mutating func take(_ bytes: ByteBufferView) async throws {
    size += bytes.count
    if head.count < 3 { head += bytes.prefix(3 - head.count) }
    digest.take(Array(bytes)[...])
    try await sink.take(bytes)
  }

  /// Ends an image.
  ///
  /// - Throws: ``ServiceError`` with `notAImage` if it is not a JPEG.
  mutating func end() async throws {
    guard head == [0xFF, 0xD8, 0xFF] else {
      throw ServiceError(.notAImage, "Picture \(burst.frames.count + 1) of \"burst\" is no JPEG.")
    }
    try await sink.flush()
    burst.frames.append(CaptureMotionMedia.Frame(size: size, digest: digest.digest))
    (size, head, digest) = (0, [], ContentDigest.Running())
  }
}
