import MienTestGenerators
import Foundation
import MienCodecs
import MienVideo
import MienImaging
import MienCore
import MienTestSupport
import Testing

/// Returns a noisy image of `side` × `side` pixels, so that videos of it are not empty.
private func image(side: Int, seed: UInt64) throws -> [UInt8] {
  var generator = SplitMixGenerator(seed: seed)
  let pixels = (0..<side * side).map { _ in
    Pixel(red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator), blue: 60)
  }
  let frame = try #require(Frame(width: side, height: side, pixels: ContiguousArray(pixels)))
  return try JPEGEncoder().encode(frame, quality: 80)
}

private func frames(_ count: Int, side: Int = 97) throws -> [EncodedFrame] {
  try (0..<count).map {
    EncodedFrame(
      bytes: try image(side: side, seed: UInt64($0)),
      at: MonotonicInstant(nanoseconds: 7_000_000_000 + Int64($0) * 250_000_000))
  }
}

/// Returns the duration in seconds and the codec of a video, according to ffprobe.
private func probed(_ video: [UInt8], in folder: URL) throws -> (seconds: Double, codec: String) {
  let file = folder.appendingPathComponent("probed.mp4")
  try Data(video).write(to: file)
  let probe = Process()
  probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  probe.arguments = [
    "ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,nb_read_frames", "-of", "csv=p=0",
    file.path,
  ]
  let pipe = Pipe()
  probe.standardOutput = pipe
  try probe.run()
  let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  probe.waitUntilExit()
  let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",")
  let count = try #require(parts.last)
  return (try #require(Double(count)) / 15, String(parts[0]))
}

@Suite struct `Frame log store` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-frame-logs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func open() throws -> FrameLogStore {
    try FrameLogStore(folder.appendingPathComponent("frame-logs").path, keyring: try sampleKeyring(1)) { count in
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in .random(in: 0...255, using: &generator) }
    }
  }

  @Test func `conforms to the frame recorder contract`() async throws {
    try await checkFrameLogWriter(frames: try frames(3)) { try open() }
  }

  @Test func `a video has the duration of its frames, also at odd sizes`() async throws {
    let frameLogs = try open()
    let id = try #require(CheckID("chk_1"))
    for frame in try frames(9) { try await frameLogs.record(frame, of: id) }
    let video = try probed(try await frameLogs.encodedClip(id), in: folder)
    #expect(video.codec == "h264" && abs(video.seconds - 2.0) < 0.15)
  }

  @Test func `a frame truncated by a crash is skipped and a corrupt log gives no video`() async throws {
    let frameLogs = try open()
    let id = try #require(CheckID("chk_1"))
    for frame in try frames(5) { try await frameLogs.record(frame, of: id) }
    let file = folder.appendingPathComponent("frame-logs/chk_1.framelog")
    let whole = try Data(contentsOf: file)
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
    try whole.dropLast(200).write(to: file)
    #expect(abs(try probed(try await frameLogs.encodedClip(id), in: folder).seconds - 0.8) < 0.15)
    for rubbish in [Data(), Data(repeating: 0xFF, count: 100), Data(repeating: 0, count: 5000)] {
      try rubbish.write(to: file)
      await #expect(throws: (any Error).self) { _ = try await frameLogs.encodedClip(id) }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("frame-logs").path) == [
        "chk_1.framelog"
      ]
    )
  }

  @Test func `recording continues after a frame truncated by a crash`() async throws {
    let id = try #require(CheckID("chk_1"))
    let frames = try frames(9)
    let frameLogs = try open()
    for frame in frames.prefix(5) { try await frameLogs.record(frame, of: id) }
    let file = folder.appendingPathComponent("frame-logs/chk_1.framelog")
    try Data(contentsOf: file).dropLast(200).write(to: file)
    let again = try open()
    for frame in frames.suffix(4) { try await again.record(frame, of: id) }
    #expect(abs(try probed(try await again.encodedClip(id), in: folder).seconds - 2.0) < 0.15)
  }

  @Test func `a modified log gives no video, not even of earlier frames, and leaves no files`() async throws {
    let frameLogs = try open()
    let id = try #require(CheckID("chk_1"))
    for frame in try frames(5) { try await frameLogs.record(frame, of: id) }
    let file = folder.appendingPathComponent("frame-logs/chk_1.framelog")
    var changed = try Data(contentsOf: file)
    changed[changed.count - 200] ^= 1
    try changed.write(to: file)
    let refused = await #expect(throws: VideoError.self) { _ = try await frameLogs.encodedClip(id) }
    #expect(refused?.reason.contains("cannot be decrypted") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("frame-logs").path) == [
        "chk_1.framelog"
      ]
    )
  }

  @Test func `a video continues after a restart with a reset clock`() async throws {
    let frameLogs = try open()
    let id = try #require(CheckID("chk_1"))
    for frame in try frames(5) { try await frameLogs.record(frame, of: id) }
    let again = try open()
    for frame in try frames(5) {
      let at = MonotonicInstant(nanoseconds: frame.at.nanoseconds - 6_000_000_000)
      try await again.record(EncodedFrame(bytes: frame.bytes, at: at), of: id)
    }
    #expect(abs(try probed(try await again.encodedClip(id), in: folder).seconds - 2.0) < 0.15)
  }

  @Test(arguments: [[Int64.max, .min, 5], [.min, .max], [5, -5, .min]] as [[Int64]])
  func `corrupt timestamps still give a video`(times: [Int64]) async throws {
    let frameLogs = try open()
    let id = try #require(CheckID("chk_1"))
    for (frame, time) in zip(try frames(times.count), times) {
      try await frameLogs.record(EncodedFrame(bytes: frame.bytes, at: MonotonicInstant(nanoseconds: time)), of: id)
    }
    #expect(try probed(try await frameLogs.encodedClip(id), in: folder).seconds > 0)
  }

  @Test func `frames that are not JPEG are not recorded`() async throws {
    let frameLogs = try open()
    let id = try #require(CheckID("chk_1"))
    try await frameLogs.record(
      EncodedFrame(bytes: [0x89, 0x50, 0x4E, 0x47], at: MonotonicInstant(nanoseconds: 0)), of: id)
    #expect(await frameLogs.frameLogs().isEmpty)
  }
}
