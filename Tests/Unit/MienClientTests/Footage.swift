import Foundation
import MienClient
import MienCore

/// Frames of real videos, extracted with ffmpeg.
enum Footage {
  struct NoFrames: Error {
    let clip: String
  }

  /// Extracts the frames of a clip of `shared/data/face_video` as JPEG images with a width of 640 pixels.
  ///
  /// - Parameter quality: ffmpeg's quality, from 1 (best) to 31. A different value yields different bytes, like another
  ///   recording: the server rejects frames that were used in another check. Images of more than 10 kB exceed a check's
  ///   budget of bytes after a few seconds, and the client lowers its frame rate: too low for a fast turn.
  static func frames(_ clip: String, rate: Int, quality: Int) throws -> [[UInt8]] {
    guard let shared = Place.shared else { throw NoFrames(clip: clip) }
    return try ffmpeg(
      ["-i", shared.appendingPathComponent("data/face_video/\(clip)").path, "-vf", "fps=\(rate),scale=640:-2"],
      quality: quality)
  }

  /// Returns unique images without a face.
  static func faceless(_ count: Int) throws -> [[UInt8]] {
    let gray = try ffmpeg(["-f", "lavfi", "-i", "color=c=gray:size=64x64", "-frames:v", "1"], quality: 3)[0]
    return (0..<count).map { _ in distinct(gray) }
  }

  /// Assembles a performance from photos, at ten frames per second for 1.2 s each; every frame has unique image data.
  ///
  /// The photos are those of `scripts/install-test-media`: two expressions suffice for a sequence.
  static func performance(_ faces: [Face]) throws -> [[UInt8]] {
    var stills: [Face: [UInt8]] = [:]
    for face in Set(faces) {
      guard let media = Place.media else { throw NoFrames(clip: face.photo) }
      stills[face] = try ffmpeg(
        [
          "-i", media.appendingPathComponent(face.photo).path, "-vf",
          "scale=480:480,pad=640:480:-1:-1:gray\(face.change)",
        ],
        quality: 3)[0]
    }
    return faces.flatMap { face in (0..<12).map { _ in distinct(stills[face] ?? []) } }
  }

  /// Expression in a photo.
  enum Face {
    case rest, smile
    /// The resting face with skin over its left eye.
    case wink

    var photo: String { self == .smile ? "0-f15-hao-ph.jpg" : "15-f13-anc-ph.jpg" }

    /// Filter of ffmpeg that changes the photo.
    var change: String {
      self == .wink ? ",split[face][copy];[copy]crop=60:17:316:254[skin];[face][skin]overlay=316:233" : ""
    }
  }

  /// Returns the same image with unique data: an additional quantization table (ITU-T T.81, B.2.4.1) that no component
  /// uses. The server rejects frames that were used in another check, and ignores comments for that.
  static func distinct(_ image: [UInt8]) -> [UInt8] {
    let table = (0..<64).map { _ in UInt8.random(in: 1...255) }
    return image[..<2] + [0xFF, 0xDB, 0, 67, 3] + table + image[2...]
  }

  private static func ffmpeg(_ arguments: [String], quality: Int) throws -> [[UInt8]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["ffmpeg", "-v", "error", "-nostdin"] + arguments
      + ["-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "\(quality)", "-pix_fmt", "yuvj420p", "-"]
    let out = Pipe()
    process.standardOutput = out
    try process.run()
    let frames = cut(Array(out.fileHandleForReading.readDataToEndOfFile()))
    process.waitUntilExit()
    guard process.terminationStatus == 0, !frames.isEmpty else {
      throw NoFrames(clip: arguments.joined(separator: " "))
    }
    return frames
  }

  /// Splits a stream of JPEG images by their markers (ITU-T T.81, B.1.1).
  private static func cut(_ bytes: [UInt8]) -> [[UInt8]] {
    var files: [[UInt8]] = []
    var start = 0
    while start + 4 <= bytes.count {
      var at = start + 2
      while at + 4 <= bytes.count, bytes[at + 1] != 0xD9 {
        let isScan = bytes[at + 1] == 0xDA
        at += 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
        while isScan, at + 1 < bytes.count,
          !(bytes[at] == 0xFF && bytes[at + 1] != 0 && !(0xD0...0xD7).contains(bytes[at + 1]))
        {
          at += 1
        }
      }
      let end = min(at + 2, bytes.count)
      files.append(Array(bytes[start..<end]))
      start = end
    }
    return files
  }
}

/// Camera that plays frames in real time: a late request gets the current frame, not the missed one.
actor PlayedCamera: FrameSource {
  private let frames: [[UInt8]]
  private let rate: Double
  private let clock = MonotonicClock()
  private var began: MonotonicInstant?
  private var last = -1

  init(_ frames: [[UInt8]], rate: Int) {
    self.frames = frames
    self.rate = Double(rate)
  }

  func next() async throws -> EncodedFrame? {
    let began = began ?? clock.now()
    self.began = began
    let due = began + .seconds(Double(last + 1) / rate)
    let early = due.since(clock.now())
    if early > .zero { try await clock.sleep(for: early) }
    let now = clock.now()
    last = max(last + 1, Int(now.since(began).inSeconds * rate))
    guard last < frames.count else { return nil }
    return EncodedFrame(bytes: frames[last], at: now)
  }
}
