internal import Foundation
internal import Subprocess

/// Lays frames of a film in a folder as pictures, with ffmpeg, a separate process on a short leash as ``ClipReader``'s.
public struct VideoFrameExtractor: Sendable {
  /// Most pictures that are made: of ten seconds at 60 a second every seventh.
  public static let mostImages = 90
  /// A minute and a half at 60 frames a second.
  public static let mostFrames = 6000

  private static let processorSeconds = 300
  private static let wallSeconds = 600
  private static let memoryBytes = 3 << 30
  /// Of a file that ffmpeg writes, in bytes. A frame of 1920×1440 takes half of one million.
  static let largestImage = 3 << 20
  /// 4K at 16:9 has less.
  private static let pixels = 9_000_000

  public init() {}

  /// Lays every so many-th frame in a folder as `N.jpg`, by its number in the film from 0, as it is stored: a film that says that it wants
  /// to be turned is not.
  ///
  /// - Parameters:
  ///   - film: a file, MP4.
  ///   - frames: how many it should have. One that has others does not go with its recording frame by frame.
  ///   - folder: is there, and empty.
  /// - Throws: ``VideoError`` when it is none, is damaged, has others or takes too long, or ffmpeg is missing.
  public func unpack(_ film: String, of frames: Int, into folder: String) async throws {
    guard let head = try? FileHandle(forReadingFrom: URL(fileURLWithPath: film)).read(upToCount: 8),
      ClipReader.Format(head) == .mp4
    else { throw VideoError("This is no MP4.") }
    let found = try await Self.count(of: film)
    // The last frames are in the film when a recording ends, and in its table not yet, or the other way round.
    guard abs(found - frames) <= max(2, frames / 100) else {
      throw VideoError("The film has \(found) frames for \(frames) of the recording.")
    }
    guard found <= Self.mostFrames else { throw VideoError("The film has more than \(Self.mostFrames) frames.") }
    let step = max(1, (found + Self.mostImages - 1) / Self.mostImages)
    _ = try await Self.run(
      Self.ffmpeg + [
        "-noautorotate", "-i", film, "-map", "0:v:0", "-vf", "select=not(mod(n\\,\(step)))", "-fps_mode",
        "passthrough", "-frames:v", "\(Self.mostImages)", "-c:v", "mjpeg", "-threads", "2", "-q:v", "3", "-pix_fmt",
        "yuvj420p",
        "-start_number", "0", "-f", "image2", folder + "/%d.jpg",
      ])
    // ffmpeg counts what it writes. From the last on, so that no name is taken yet.
    let files = FileManager.default
    for number in (1..<Self.mostImages).reversed() where step > 1 {
      let written = "\(folder)/\(number).jpg"
      guard files.fileExists(atPath: written) else { continue }
      try files.moveItem(atPath: written, toPath: "\(folder)/\(number * step).jpg")
    }
    guard files.fileExists(atPath: folder + "/0.jpg") else { throw VideoError("ffmpeg could not read the film.") }
  }

  /// How many frames a film has, without decoding them.
  private static func count(of film: String) async throws -> Int {
    let list = try await run(ffmpeg + ["-i", film, "-map", "0:v:0", "-c", "copy", "-f", "framecrc", "-"])
    // A line of each: stream, times, size, sum.
    let count = list.split(separator: "\n").count { $0.hasPrefix("0,") }
    guard count > 0 else { throw VideoError("The film has no frames.") }
    return count
  }

  private static let ffmpeg = [
    "ffmpeg", "-v", "error", "-xerror", "-nostdin", "-threads", "2", "-protocol_whitelist", "file", "-f", "mov",
    "-codec_whitelist", "h264,hevc", "-max_pixels", "\(pixels)",
  ]

  private static func run(_ command: [String]) async throws -> String {
    let leash = [
      "-k", "2", "\(wallSeconds)", "prlimit", "--cpu=\(processorSeconds)", "--as=\(memoryBytes)",
      "--fsize=\(largestImage)", "nice", "-n", "10",
    ]
    do {
      let result = try await Subprocess.run(
        .name("timeout"), arguments: Arguments(leash + command), platformOptions: .endedInOrder, input: .none,
        output: .string(limit: 1 << 20), error: .string(limit: 64 << 10))
      if result.terminationStatus.isSuccess { return result.standardOutput }
    } catch is SubprocessError {
      // What the process says may name a file.
    }
    try Task.checkCancellation()
    throw VideoError("\(command[0]) could not read the film. Is it installed?")
  }
}
