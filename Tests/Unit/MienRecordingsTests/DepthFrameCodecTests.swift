import MienTestGenerators
import MienCore
import MienRecordings
import Testing

@Suite struct DepthFrameCodecTests {
  static func frame(seed: UInt64, width: Int = 7, height: Int = 5) throws -> DepthFrame {
    var generator = SplitMixGenerator(seed: seed)
    return try #require(
      DepthFrame(
        width: width, height: height,
        samples: (0..<(width * height)).map { _ in UInt16.random(in: 0...UInt16.max, using: &generator) },
        micrometersPerStep: Int.random(in: 1...1_000_000, using: &generator),
        intrinsics: PinholeIntrinsics(
          fx: Float.random(in: 1...1000, using: &generator), fy: Float.random(in: 1...1000, using: &generator),
          cx: Float.random(in: -10...1000, using: &generator), cy: Float.random(in: -10...1000, using: &generator)),
        face: FaceBox(x: 0.25, y: -0.25, width: 0.5, height: 1.5),
        at: MonotonicInstant(nanoseconds: Int64.random(in: 0..<9_000_000_000_000_000_000, using: &generator))))
  }

  private func expectEqual(_ left: DepthFrame, _ right: DepthFrame) {
    #expect(left.width == right.width)
    #expect(left.height == right.height)
    #expect(left.samples == right.samples)
    #expect(left.micrometersPerStep == right.micrometersPerStep)
    #expect(left.intrinsics == right.intrinsics)
    #expect(left.face == right.face)
    #expect(left.at == right.at)
  }

  @Test func `the documented example is read as described and written identically`() throws {
    let digits = try sample("hex", in: "DepthFrame.md").filter { $0.isHexDigit }
    var body = ContiguousArray<UInt8>()
    var rest = digits[...]
    while !rest.isEmpty {
      body.append(try #require(UInt8(rest.prefix(2), radix: 16)))
      rest = rest.dropFirst(2)
    }
    let frames = try DepthFrameCodec.read(body)
    try #require(frames.count == 1)
    #expect(frames[0].width == 2)
    #expect(frames[0].height == 1)
    #expect(frames[0].micrometersPerStep == 100)
    #expect(frames[0].samples == [3000, 0])
    #expect(frames[0].intrinsics == PinholeIntrinsics(fx: 500, fy: 500, cx: 1, cy: 0.5))
    #expect(frames[0].face == FaceBox(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
    #expect(frames[0].at.nanoseconds == 1_000_000)
    #expect(DepthFrameCodec.write(frames) == Array(body))
  }

  @Test(arguments: 0..<20) func `frames are read back as written`(seed: Int) throws {
    var generator = SplitMixGenerator(seed: UInt64(seed))
    let frames = try (0..<3).map { _ in
      try Self.frame(
        seed: generator.next(), width: Int.random(in: 1...40, using: &generator),
        height: Int.random(in: 1...40, using: &generator))
    }
    let again = try DepthFrameCodec.read(ContiguousArray(DepthFrameCodec.write(frames)))
    try #require(again.count == frames.count)
    for (left, right) in zip(again, frames) { expectEqual(left, right) }
  }

  @Test func `every truncation of two frames is rejected except between them`() throws {
    let one = try Self.frame(seed: 1)
    let body = ContiguousArray(DepthFrameCodec.write([one, one]))
    let size = body.count / 2
    for end in 0..<body.count where end != size {
      let error = try refusal { _ = try DepthFrameCodec.read(body.span.extracting(..<end)) }
      #expect(error.code == .truncated)
      #expect(error.line == (end < size ? 1 : 2))
      #expect(error.unit == .frame)
    }
    #expect(try DepthFrameCodec.read(body.span.extracting(..<size)).count == 1)
  }

  /// Replacement bytes at an offset, and the expected error.
  static let wrong: [(at: Int, bytes: [UInt8], code: RecordingError.Code, named: Int)] = [
    (0, [0x6D], .wrongFormat, 0), (3, [0x32], .wrongFormat, 3), (4, [0, 0], .numberOutOfRange, 4),
    (6, [0, 0], .numberOutOfRange, 4), (4, [1, 0x10], .numberOutOfRange, 4),
    (4, [0, 0x10, 0, 0x10], .tooLarge, 4), (4, [200, 0, 200, 0], .truncated, 122),
    (8, [0, 0, 0, 0], .numberOutOfRange, 8), (8, [0xFF, 0xFF, 0xFF, 0xFF], .numberOutOfRange, 8),
    (12, [0, 0, 0xC0, 0x7F], .numberOutOfRange, 12), (16, [0, 0, 0x80, 0xBF], .numberOutOfRange, 12),
    (20, [0, 0, 0x80, 0x7F], .numberOutOfRange, 12), (28, [0, 0, 0xC0, 0x7F], .numberOutOfRange, 28),
    (36, [0, 0, 0, 0], .numberOutOfRange, 28), (51, [0x80], .numberOutOfRange, 44), (51, [0x7F], .numberOutOfRange, 44),
  ]

  @Test(arguments: wrong.indices) func `a malicious header is rejected with its error and location`(row: Int) throws {
    let row = Self.wrong[row]
    var body = ContiguousArray(DepthFrameCodec.write([try Self.frame(seed: 2)]))
    body.replaceSubrange(row.at..<(row.at + row.bytes.count), with: row.bytes)
    let error = try refusal { _ = try DepthFrameCodec.read(body) }
    #expect(error.code == row.code)
    #expect(error.byte == row.named)
  }

  @Test func `limits on bytes, frames and samples are enforced`() throws {
    let one = try Self.frame(seed: 3)
    let body = ContiguousArray(DepthFrameCodec.write([one, one, one]))
    func code(_ limits: DepthFrameCodec.Limits) throws -> RecordingError.Code {
      try refusal { _ = try DepthFrameCodec.read(body, limits: limits) }.code
    }
    #expect(try code(DepthFrameCodec.Limits(maximumFrames: 2)) == .tooLarge)
    #expect(try code(DepthFrameCodec.Limits(maximumBytes: body.count - 1)) == .tooLarge)
    #expect(try code(DepthFrameCodec.Limits(maximumSamples: 34)) == .tooLarge)
    let limits = DepthFrameCodec.Limits(maximumFrames: 3, maximumBytes: body.count, maximumSamples: 35)
    #expect(try DepthFrameCodec.read(body, limits: limits).count == 3)
  }
}
