internal import Foundation
public import MienCore
public import MienImaging
internal import Subprocess

/// Decodes the frames of short, untrusted clips with ffmpeg, a separate process with resource limits.
///
/// The format is determined by the first bytes and not by ffmpeg's detection. The process can open only files, supports only codecs of
/// cameras and browsers, and has limited processor time and memory.
public struct ClipReader: Sendable {
  /// Frame of a clip.
  public struct Frame: Sendable {
    /// Upright image, its longer side at most 1280 samples.
    public let luma: Plane
    /// Timestamp in the clip; `nil` if there is none.
    public let at: MonotonicInstant?
  }

  /// Supported container format of a clip.
  public enum Format: String, Sendable {
    case mp4 = "video/mp4"
    case webm = "video/webm"

    /// Detects the format by the first bytes, of which eight are sufficient. Returns `nil` for any other format.
    public init?(_ head: some Collection<UInt8>) {
      if head.dropFirst(4).prefix(4).elementsEqual("ftyp".utf8) {
        self = .mp4
      } else if head.prefix(4).elementsEqual([0x1A, 0x45, 0xDF, 0xA3]) {
        self = .webm
      } else {
        return nil
      }
    }

    /// ffmpeg's name of the demuxer.
    fileprivate var demuxer: String { self == .mp4 ? "mov" : "matroska" }
  }

  /// Number of seconds of a clip that are decoded; the rest is ignored.
  public static let seconds = 5
  /// Maximum number of returned frames: the latest ones, which are nearest to the photo if the clip shows the preview before it.
  public static let frames = 24

  private static let longestSide = 1280
  /// Equivalent to 5 s at 30 frames per second.
  private static let decodedFrames = 150
  /// Processor seconds, and wall-clock seconds for a process that sleeps.
  private static let processorSeconds = 30
  private static let wallSeconds = 120
  private static let memoryBytes = 2 << 30
  /// Maximum number of pixels of a decoded frame before scaling; 8K has more.
  private static let pixels = 9_000_000

  private let folder: URL

  /// Creates a reader.
  ///
  /// - Parameter folder: Directory for temporary clip files; by default the system's directory for temporary files.
  public init(folder: String? = nil) {
    self.folder =
      folder.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FileManager.default.temporaryDirectory
  }

  /// Returns the frames of a clip in chronological order, at least one.
  ///
  /// - Throws: ``VideoError`` if the data is not a clip, is damaged, or takes too long, or if ffmpeg is missing.
  public func frames(of video: [UInt8]) async throws -> [Frame] {
    guard let format = Format(video.prefix(8)) else { throw VideoError("This is neither MP4 nor WebM.") }
    // ffmpeg cannot read a clip with its index at the end from a pipe.
    let file = folder.appendingPathComponent("mien-clip-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else {
      throw VideoError("Could not write the clip to a temporary file to read it.")
    }
    try Data(video).write(to: file)
    let result = try await run(
      .name("timeout"), arguments: Arguments(Self.processLimits + Self.ffmpeg(file.path, format)),
      platformOptions: .endedInOrder, input: .none, output: .sequence, error: .string(limit: 64 << 10)
    ) { execution in
      var splitter = PGMStreamParser(largest: Self.longestSide)
      var (count, kept) = (0, [Plane]())
      for try await chunk in execution.standardOutput {
        splitter.append(unsafe chunk.withUnsafeBytes { unsafe [UInt8]($0) })
        while let plane = try splitter.next() {
          count += 1
          kept.append(plane)
          if kept.count > Self.frames { kept.removeFirst() }
        }
      }
      return (count, kept)
    }
    let (count, kept) = result.closureResult
    // A truncated clip still provides its first frames.
    guard !kept.isEmpty else { throw VideoError("ffmpeg could not read the video. Is it installed?") }
    let times = Self.times(in: result.standardError)
    return kept.enumerated().map { index, luma in
      let number = count - kept.count + index
      return Frame(luma: luma, at: times.count == count ? MonotonicInstant(seconds: times[number]) : nil)
    }
  }

  private static let processLimits = [
    "-k", "2", "\(wallSeconds)", "prlimit", "--cpu=\(processorSeconds)", "--as=\(memoryBytes)", "nice", "-n", "10",
  ]

  private static func ffmpeg(_ file: String, _ format: Format) -> [String] {
    let side = "min(\(longestSide)"
    let scale = "scale=w='if(gte(iw,ih),\(side),iw),-2)':h='if(gte(iw,ih),-2,\(side),ih))'"
    let each = ["-map", "0:v:0", "-fps_mode", "passthrough", "-frames:v", "\(decodedFrames)"]
    return [
      "ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-protocol_whitelist", "file", "-f", format.demuxer,
      "-codec_whitelist", "h264,hevc,mpeg4,vp8,vp9,av1,libdav1d", "-max_pixels", "\(pixels)", "-t", "\(seconds)", "-i",
      file,
    ] + each + ["-vf", scale, "-c:v", "pgm", "-pix_fmt", "gray", "-f", "image2pipe", "pipe:1"]
      // The same frames once more, as a list of their timestamps.
      + each + ["-vf", "scale=16:16", "-c:v", "rawvideo", "-f", "framecrc", "pipe:2"]
  }

  /// Parses the timestamps of a frame list (`#tb 0: 1/1000`, then `stream, decoded, presented, …`) among other messages.
  static func times(in list: String) -> [Double] {
    var base: Double?
    var times: [Double] = []
    for line in list.split(separator: "\n") {
      if line.hasPrefix("#tb 0: ") {
        let parts = line.dropFirst(7).split(separator: "/").compactMap { Double($0) }
        if parts.count == 2, parts[1] > 0 { base = parts[0] / parts[1] }
      }
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard fields.count == 6, fields[0] == "0", let base, let ticks = Double(fields[2]) else { continue }
      times.append(ticks * base)
    }
    return times
  }
}

/// Splits a stream of binary PGM files (`P5`, width, height, 255, samples) into planes.
struct PGMStreamParser {
  /// Maximum side length of a plane.
  let largest: Int
  private var buffer: [UInt8] = []

  init(largest: Int) { self.largest = largest }

  mutating func append(_ bytes: [UInt8]) { buffer += bytes }

  /// Returns the next complete plane, or `nil` until more bytes are available.
  ///
  /// - Throws: ``VideoError`` for any other content.
  mutating func next() throws -> Plane? {
    // The longest valid header within the limits has 17 bytes.
    let head = buffer.prefix(20)
    let lines = head.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4 else {
      if head.count == 20 { throw Self.broken }
      return nil
    }
    let sides = lines[1].split(separator: UInt8(ascii: " ")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard lines[0].elementsEqual("P5".utf8), lines[2].elementsEqual("255".utf8), sides.count == 2,
      sides.allSatisfy({ (1...largest).contains($0) })
    else { throw Self.broken }
    let start = lines[3].startIndex
    let end = start + sides[0] * sides[1]
    guard buffer.count >= end else { return nil }
    guard let plane = Plane(width: sides[0], height: sides[1], samples: ContiguousArray(buffer[start..<end])) else {
      throw Self.broken
    }
    buffer.removeFirst(end)
    return plane
  }

  private static let broken = VideoError("ffmpeg wrote something other than images.")
}
