import Foundation

/// Clip as JPEG images of 640×480, as sent by a phone.
struct Clip {
  let frames: [[UInt8]]

  /// - Parameter quality: ffmpeg's `-q:v`, 2 (best) to 31.
  init(_ path: String, rate: Int, quality: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-load-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let ffmpeg = Process()
    ffmpeg.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    ffmpeg.arguments = [
      "ffmpeg", "-v", "error", "-nostdin", "-i", path, "-vf",
      "fps=\(rate),scale=640:480:force_original_aspect_ratio=increase,crop=640:480", "-frames:v", "400", "-q:v",
      "\(quality)", "-pix_fmt", "yuvj420p", folder.appendingPathComponent("%05d.jpg").path,
    ]
    try ffmpeg.run()
    ffmpeg.waitUntilExit()
    frames = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { Array(try Data(contentsOf: folder.appendingPathComponent($0))) }
    guard !frames.isEmpty else { throw Complaint("ffmpeg made no frame of \(path)") }
  }

  /// Returns frame `index`, playing the clip forward and backward repeatedly. A JPEG comment makes the bytes unique
  /// without
  /// changing pixels, because the server rejects repeated frames.
  func frame(_ index: Int, of check: Int, salt: String) -> [UInt8] {
    let period = max(1, 2 * frames.count - 2)
    let place = index % period
    let jpeg = frames[place < frames.count ? place : period - place]
    let comment = Array("\(salt)-\(check)-\(index)".utf8)
    return jpeg[..<2] + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + jpeg[2...]
  }
}

struct Complaint: Error, CustomStringConvertible {
  let description: String
  init(_ text: String) { description = text }
}
