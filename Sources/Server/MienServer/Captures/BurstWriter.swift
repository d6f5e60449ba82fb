internal import MienService
internal import NIOCore

/// Writes the pictures of a burst one after the other into one file, and takes each one's digest on the way.
struct BurstWriter {
  private(set) var burst: CaptureDraft.Burst
  private var sink: BufferedBlobWriter
  private var digest = ContentDigest.Running()
  private var head: [UInt8] = []
  /// Of the picture that is coming, in bytes.
  private(set) var size = 0

  init(_ file: CaptureDraft.PendingBlob) {
    burst = CaptureDraft.Burst(file: file)
    sink = BufferedBlobWriter(file)
  }

  /// Of all pictures so far, in bytes.
  var total: Int { sink.size }

  mutating func take(_ bytes: ByteBufferView) async throws {
    size += bytes.count
    if head.count < 3 { head += bytes.prefix(3 - head.count) }
    digest.take(Array(bytes)[...])
    try await sink.take(bytes)
  }

  /// Ends a picture.
  ///
  /// - Throws: ``ServiceError`` with `notAPicture` for what is no JPEG.
  mutating func end() async throws {
    guard head == [0xFF, 0xD8, 0xFF] else {
      throw ServiceError(.notAImage, "Picture \(burst.frames.count + 1) of \"burst\" is no JPEG.")
    }
    try await sink.flush()
    burst.frames.append(CaptureMotionMedia.Frame(size: size, digest: digest.digest))
    (size, head, digest) = (0, [], ContentDigest.Running())
  }
}
