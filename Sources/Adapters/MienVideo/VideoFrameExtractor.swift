internal import Foundation
internal import Subprocess

/// Extracts frames of a video as image files in a directory with ffmpeg, a separate process with the resource limits of ``ClipReader``.
public struct VideoFrameExtractor: Sendable {
  /// Maximum number of extracted images: every seventh frame for ten seconds at 60 frames per second.
  public static let mostImages = 90
  /// Maximum number of frames of a video: more than 90 seconds at 60 frames per second.
  public static let mostFrames = 6000

  private static let processorSeconds = 300
  private static let wallSeconds = 600
  private static let memoryBytes = 3 << 30
  /// Maximum size in bytes of a file that ffmpeg writes. A frame of 1920×1440 takes half a million.
  static let largestImage = 3 << 20
  /// Maximum number of pixels of a frame; 4K at 16:9 has fewer.
  private static let pixels = 9_000_000

  public init() {}

  /// Extracts frames at a regular interval to a directory as `N.jpg`, where N is the zero-based frame number. The frames are stored as
  /// encoded, without applying the rotation metadata.
  ///
  /// - Parameters:
  ///   - video: Path of an MP4 file.
  ///   - frames: Expected number of frames. A video with a different number does not match its recording frame by frame.
  ///   - folder: Existing, empty directory.
  /// - Throws: ``VideoError`` if the file is not a video, is damaged, has a different number of frames, or takes too long, or if ffmpeg
  ///   is missing.
  public func unpack(_ video: String, of frames: Int, into folder: String) async throws {
    guard let head = try? FileHandle(forReadingFrom: URL(fileURLWithPath: video)).read(upToCount: 8),
      ClipReader.Format(head) == .mp4
    else { throw VideoError("This is not an MP4 file.") }
    let found = try await Self.count(of: video)
    // When a recording ends, the last frames may be in the video and not yet in the recording's table, or vice versa.
    guard abs(found - frames) <= max(2, frames / 100) else {
      throw VideoError("The video has \(found) frames, but the recording has \(frames).")
    }
    guard found <= Self.mostFrames else { throw VideoError("The video has more than \(Self.mostFrames) frames.") }
    let step = max(1, (found + Self.mostImages - 1) / Self.mostImages)
    _ = try await Self.run(
      Self.ffmpeg + [
        "-noautorotate", "-i", video, "-map", "0:v:0", "-vf", "select=not(mod(n\\,\(step)))", "-fps_mode",
        "passthrough", "-frames:v", "\(Self.mostImages)", "-c:v", "mjpeg", "-threads", "2", "-q:v", "3", "-pix_fmt",
        "yuvj420p",
        "-start_number", "0", "-f", "image2", folder + "/%d.jpg",
      ])
    // ffmpeg numbers its output consecutively. Rename from the last to the first, so that no name is taken.
    let files = FileManager.default
    for number in (1..<Self.mostImages).reversed() where step > 1 {
      let written = "\(folder)/\(number).jpg"
      guard files.fileExists(atPath: written) else { continue }
      try files.moveItem(atPath: written, toPath: "\(folder)/\(number * step).jpg")
    }
    guard files.fileExists(atPath: folder + "/0.jpg") else { throw VideoError("ffmpeg could not read the video.") }
  }

  /// Returns the number of frames of a video without decoding them.
  private static func count(of video: String) async throws -> Int {
    let list = try await run(ffmpeg + ["-i", video, "-map", "0:v:0", "-c", "copy", "-f", "framecrc", "-"])
    // One line per frame: stream, timestamps, size, checksum.
    let count = list.split(separator: "\n").count { $0.hasPrefix("0,") }
    guard count > 0 else { throw VideoError("The video has no frames.") }
    return count
  }

  private static let ffmpeg = [
    "ffmpeg", "-v", "error", "-xerror", "-nostdin", "-threads", "2", "-protocol_whitelist", "file", "-f", "mov",
    "-codec_whitelist", "h264,hevc", "-max_pixels", "\(pixels)",
  ]

  private static func run(_ command: [String]) async throws -> String {
    let processLimits = [
      "-k", "2", "\(wallSeconds)", "prlimit", "--cpu=\(processorSeconds)", "--as=\(memoryBytes)",
      "--fsize=\(largestImage)", "nice", "-n", "10",
    ]
    do {
      let result = try await Subprocess.run(
        .name("timeout"), arguments: Arguments(processLimits + command), platformOptions: .endedInOrder, input: .none,
        output: .string(limit: 1 << 20), error: .string(limit: 64 << 10))
      if result.terminationStatus.isSuccess { return result.standardOutput }
    } catch is SubprocessError {
      // The output of the process may contain a file name.
    }
    try Task.checkCancellation()
    throw VideoError("\(command[0]) could not read the video. Is it installed?")
  }
}
