import Foundation

/// Clip as JPEG images of 640×480, as sent by a phone. Every frame of every clip is a picture of its own: the server rejects
/// frames of another check and notices a camera that repeats itself.
struct Clip: Sendable {
  let frames: [[UInt8]]

  /// Plays a video repeatedly, with faint noise of its own in each frame.
  ///
  /// - Parameters:
  ///   - count: number of frames.
  ///   - quality: ffmpeg's `-q:v`, 2 (best) to 31.
  ///   - seed: determines the noise; clips of two checks need different ones.
  init(_ path: String, rate: Int, count: Int, quality: Int, seed: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-load-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let ffmpeg = Process()
    ffmpeg.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    ffmpeg.arguments = [
      "ffmpeg", "-v", "error", "-nostdin", "-stream_loop", "-1", "-i", path, "-vf",
      "fps=\(rate),scale=640:480:force_original_aspect_ratio=increase,crop=640:480,"
        + "noise=alls=2:allf=t:all_seed=\(seed)",
      "-frames:v", "\(count)", "-q:v", "\(quality)", "-pix_fmt", "yuvj420p",
      folder.appendingPathComponent("%05d.jpg").path,
    ]
    try ffmpeg.run()
    ffmpeg.waitUntilExit()
    frames = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { Array(try Data(contentsOf: folder.appendingPathComponent($0))) }
    guard frames.count == count else { throw LoadError("ffmpeg made \(frames.count) of \(count) frames of \(path)") }
  }
}

/// Error with a message for the person who runs the load test.
struct LoadError: Error, CustomStringConvertible {
  let description: String
  init(_ text: String) { description = text }
}
