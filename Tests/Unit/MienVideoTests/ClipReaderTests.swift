import Foundation
import MienImaging
import MienCore
import Testing

@testable import MienVideo

/// Creates a video of a moving bright bar with ffmpeg, `seconds` long at `rate` frames per second.
private func clip(_ options: [String] = [], size: String = "160x120", seconds: Double = 1, rate: Int = 10) throws
  -> [UInt8]
{
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("mien-test-\(UUID())")
  defer { try? FileManager.default.removeItem(at: file) }
  let ffmpeg = Process()
  ffmpeg.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  ffmpeg.arguments =
    ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=\(rate):duration=\(seconds)"] + options
    + [file.path]
  try ffmpeg.run()
  ffmpeg.waitUntilExit()
  #expect(ffmpeg.terminationStatus == 0)
  return [UInt8](try Data(contentsOf: file))
}

private let mp4 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-f", "mp4"]
private let webm = ["-c:v", "libvpx", "-deadline", "realtime", "-f", "webm"]

@Suite struct `Clip reader` {
  @Test(arguments: [mp4, webm]) func `frames are returned with their times`(options: [String]) async throws {
    let frames = try await ClipReader().frames(of: clip(options))
    #expect(frames.count == 10)
    #expect(frames.allSatisfy { $0.luma.width == 160 && $0.luma.height == 120 })
    let times = frames.compactMap { $0.at?.nanoseconds }
    #expect(times.count == 10 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 100_000_000) < 2_000_000 })
    #expect(frames[0].luma.samples != frames[9].luma.samples)
  }

  @Test func `frames of a long clip are taken from its first five seconds`() async throws {
    let frames = try await ClipReader().frames(of: clip(mp4, seconds: 8))
    #expect(frames.count == ClipReader.frames)
    let last = try #require(frames.last?.at?.nanoseconds)
    #expect(abs(last - 4_900_000_000) < 150_000_000)
  }

  @Test func `large clips are downscaled in both orientations`() async throws {
    let wide = try await ClipReader().frames(of: clip(mp4, size: "1920x1080", seconds: 0.2))
    #expect(wide.first.map { [$0.luma.width, $0.luma.height] } == [1280, 720])
    let tall = try await ClipReader().frames(of: clip(mp4, size: "1080x1920", seconds: 0.2))
    #expect(tall.first.map { [$0.luma.width, $0.luma.height] } == [720, 1280])
  }

  @Test func `invalid, unsupported or oversized clips are rejected without leftover files`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-clips-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = try clip(mp4)
    let playlist = Array("\0\0\0\u{18}ftypisom#EXTM3U\nfile:///etc/hostname\n".utf8)
    let clips: [[UInt8]] = [
      [], [0, 1, 2], Array(whole.prefix(40)), playlist,
      [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 0xFF, count: 900),
      try clip(["-c:v", "mjpeg", "-f", "avi"]), try clip(["-c:v", "ffv1", "-f", "matroska"]),
      try clip(mp4, size: "4096x2304", seconds: 0.1),
    ]
    for (number, bytes) in clips.enumerated() {
      await #expect(throws: VideoError.self, "clip \(number)") {
        _ = try await ClipReader(folder: folder.path).frames(of: bytes)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `listed times are presentation times`() {
    let list = """
      [mov @ 0x1] something is odd, 0, 1, 2
      #software: x
      #tb 0: 1/1000
      0,          0,         67,       67,      256, 0x3d1bc4cd
      0,         67,        134,       67,      256, 0x3d1bc4cd
      """
    #expect(ClipReader.times(in: list) == [0.067, 0.134])
    #expect(ClipReader.times(in: "0, 0, 0, 67, 256, 0x1") == [], "unknown without a base")
  }
}

@Suite struct `PGM stream parser` {
  private func pieces(_ bytes: [UInt8], of size: Int) throws -> [Plane] {
    var splitter = PGMStreamParser(largest: 100)
    var planes: [Plane] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      splitter.append(Array(bytes[start..<min(start + size, bytes.count)]))
      while let plane = try splitter.next() { planes.append(plane) }
    }
    return planes
  }

  @Test(arguments: [1, 2, 7, 1000]) func `frames do not depend on how the stream is split`(size: Int) throws {
    // Samples that resemble line breaks.
    let one = Array("P5\n5 4\n255\n".utf8) + [UInt8](repeating: 10, count: 20)
    let two = Array("P5\n1 30\n255\n".utf8) + [UInt8](repeating: 200, count: 30)
    let planes = try pieces(one + two + one.dropLast(), of: size)
    #expect(planes.map { [$0.width, $0.height] } == [[5, 4], [1, 30]])
    #expect(planes[1].samples.allSatisfy { $0 == 200 })
  }

  @Test(arguments: ["P6\n5 4\n255\n", "P5\n101 4\n255\n", "P5\n0 4\n255\n", "P5\n-5 4\n255\n", "P5\n5 4\n65535\n"])
  func `other formats are rejected`(head: String) {
    #expect(throws: VideoError.self) { try pieces(Array(head.utf8) + [UInt8](repeating: 9, count: 64), of: 1000) }
  }
}
