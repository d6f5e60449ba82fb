public import MienCore

/// Binary encoding of depth frames, `application/vnd.mien.depth-frame`, defined in
/// `Documentation/reference/formats/DepthFrame.md`.
public enum DepthFrameCodec {
  /// The media type of a body with one or more frames.
  public static let mediaType = "application/vnd.mien.depth-frame"
  /// Size of each frame's header in bytes.
  public static let headerBytes = 52

  /// Limits on a body, checked before anything is allocated.
  public struct Limits: Hashable, Sendable {
    public var maximumFrames: Int
    public var maximumBytes: Int
    /// Maximum number of samples per frame.
    public var maximumSamples: Int

    /// Creates limits; by default 64 frames, 64 MiB, and frames up to 1920×1440.
    public init(maximumFrames: Int = 64, maximumBytes: Int = 67_108_864, maximumSamples: Int = 2_764_800) {
      self.maximumFrames = maximumFrames
      self.maximumBytes = maximumBytes
      self.maximumSamples = maximumSamples
    }
  }

  /// Decodes all frames of a body; there is at least one.
  /// - Throws: ``RecordingError`` with the frame's number and the byte offset in the body.
  public static func read(
    _ body: Span<UInt8>, limits: Limits = Limits()
  ) throws(RecordingError) -> [DepthFrame] {
    guard body.count <= limits.maximumBytes else {
      throw fault(.tooLarge, 1, limits.maximumBytes, "the body is larger than the limit")
    }
    guard body.count > 0 else { throw fault(.truncated, 1, 0, "the body is empty") }
    var frames: [DepthFrame] = []
    var start = 0
    while start < body.count {
      guard frames.count < limits.maximumFrames else {
        throw fault(.tooLarge, frames.count + 1, start, "more frames than the limit")
      }
      frames.append(try readFrame(body, &start, number: frames.count + 1, limits))
    }
    return frames
  }

  /// Decodes all frames of a body; there is at least one.
  /// - Throws: ``RecordingError`` with the frame's number and the byte offset in the body.
  public static func read(
    _ body: ContiguousArray<UInt8>, limits: Limits = Limits()
  ) throws(RecordingError) -> [DepthFrame] {
    try read(body.span, limits: limits)
  }

  /// Encodes frames consecutively.
  public static func write(_ frames: [DepthFrame]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.reduce(0) { $0 + headerBytes + 2 * $1.samples.count })
    for frame in frames {
      bytes.append(contentsOf: magic)
      append(UInt16(frame.width), to: &bytes)
      append(UInt16(frame.height), to: &bytes)
      append(UInt32(frame.micrometersPerStep), to: &bytes)
      for value in [
        frame.intrinsics.fx, frame.intrinsics.fy, frame.intrinsics.cx, frame.intrinsics.cy, frame.face.x,
        frame.face.y, frame.face.width, frame.face.height,
      ] {
        append(value.bitPattern, to: &bytes)
      }
      append(UInt64(bitPattern: frame.at.nanoseconds), to: &bytes)
      for sample in frame.samples { append(sample, to: &bytes) }
    }
    return bytes
  }

  /// `MDF1`.
  private static let magic: [UInt8] = [0x4D, 0x44, 0x46, 0x31]

  private static func readFrame(
    _ body: Span<UInt8>, _ start: inout Int, number: Int, _ limits: Limits
  ) throws(RecordingError) -> DepthFrame {
    for (index, byte) in magic.enumerated() {
      guard start + index < body.count else { throw fault(.truncated, number, body.count, "the header is cut off") }
      guard body[start + index] == byte else {
        throw fault(.wrongFormat, number, start + index, "the frame does not start with MDF1")
      }
    }
    guard body.count - start >= headerBytes else {
      throw fault(.truncated, number, body.count, "the header is cut off")
    }
    let width = Int(load(body, start + 4, 2))
    let height = Int(load(body, start + 6, 2))
    guard (1...4096).contains(width), (1...4096).contains(height) else {
      throw fault(.numberOutOfRange, number, start + 4, "width or height is outside 1…4096")
    }
    guard width * height <= limits.maximumSamples else {
      throw fault(.tooLarge, number, start + 4, "more samples than the limit")
    }
    let step = Int(load(body, start + 8, 4))
    guard (1...1_000_000).contains(step) else {
      throw fault(.numberOutOfRange, number, start + 8, "micrometers per step is outside 1…1000000")
    }
    let intrinsics = PinholeIntrinsics(
      fx: float(body, start + 12), fy: float(body, start + 16), cx: float(body, start + 20),
      cy: float(body, start + 24))
    guard intrinsics.isPlausible else {
      throw fault(.numberOutOfRange, number, start + 12, "the intrinsics are implausible")
    }
    let face = FaceBox(
      x: float(body, start + 28), y: float(body, start + 32), width: float(body, start + 36),
      height: float(body, start + 40))
    guard face.isPlausible else { throw fault(.numberOutOfRange, number, start + 28, "the face box is implausible") }
    let at = Int64(bitPattern: load(body, start + 44, 8))
    guard (0..<9_000_000_000_000_000_000).contains(at) else {
      throw fault(.numberOutOfRange, number, start + 44, "the timestamp is outside 0…9000000000 s")
    }
    let first = start + headerBytes
    let end = first + 2 * width * height
    guard end <= body.count else { throw fault(.truncated, number, body.count, "the samples are cut off") }
    let samples = Self.samples(body.extracting(first..<end))
    guard
      let frame = DepthFrame(
        width: width, height: height, samples: samples, micrometersPerStep: step, intrinsics: intrinsics, face: face,
        at: MonotonicInstant(nanoseconds: at))
    else { throw fault(.numberOutOfRange, number, start, "the frame is implausible") }
    start = end
    return frame
  }

  private static func samples(_ body: Span<UInt8>) -> [UInt16] {
    var samples: [UInt16] = []
    samples.reserveCapacity(body.count / 2)
    for index in 0..<(body.count / 2) {
      samples.append(UInt16(body[2 * index]) | UInt16(body[2 * index + 1]) << 8)
    }
    return samples
  }

  /// Loads a little-endian integer of `count` bytes.
  private static func load(_ body: Span<UInt8>, _ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(body[offset + $1]) << UInt64(8 * $1) }
  }

  private static func float(_ body: Span<UInt8>, _ offset: Int) -> Float {
    Float(bitPattern: UInt32(load(body, offset, 4)))
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  private static func fault(
    _ code: RecordingError.Code, _ number: Int, _ byte: Int, _ reason: String
  ) -> RecordingError {
    RecordingError(code, line: number, unit: .frame, byte: byte, reason)
  }
}
