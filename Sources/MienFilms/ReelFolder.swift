internal import Foundation
public import MienModel
public import MienService
internal import Subprocess

/// Keeps reels as files of a folder and makes films of them with ffmpeg, a separate process.
///
/// A reel is a row of frames, each after its time in nanoseconds (8 bytes) and its length (4 bytes), little-endian. A
/// frame that a crash cut off is left out of the film.
public actor ReelFolder: FrameRecorder {
  /// A film is at most this long; what comes later is left out.
  private static let maximumSeconds = 180.0
  /// The largest reel in bytes: what 180 s at the rate and size of the browser client need, three times over.
  private static let maximumBytes = 268_435_456
  private static let framesPerSecond = 15.0

  private let folder: URL

  /// - Parameter folder: made when it is not there.
  public init(_ folder: String) throws {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    do {
      try FileManager.default.createDirectory(
        at: self.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw FilmError("\(folder) cannot be made. Check that the folder around it is writable.")
    }
  }

  public func record(_ frame: EncodedFrame, of check: SessionID) throws {
    // ffmpeg reads one kind of frame after the other from a pipe; nearly every client sends JPEG.
    guard frame.bytes.starts(with: [0xFF, 0xD8]) else { return }
    let file = reel(check)
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    guard try handle.seekToEnd() < Self.maximumBytes else { return }
    var record = Data()
    record.append(contentsOf: Self.bytes(of: UInt64(bitPattern: frame.at.nanoseconds), count: 8))
    record.append(contentsOf: Self.bytes(of: UInt64(frame.bytes.count), count: 4))
    record.append(contentsOf: frame.bytes)
    try handle.write(contentsOf: record)
  }

  public func film(_ check: SessionID) async throws -> [UInt8] {
    let frames = Self.frames(of: try Data(contentsOf: reel(check), options: .mappedIfSafe))
    guard let first = frames.first, let last = frames.last else { throw FilmError("The reel is empty.") }
    let out = folder.appendingPathComponent("\(check.text).mp4")
    defer { try? FileManager.default.removeItem(at: out) }
    let seconds = min(Double(last.at &- first.at) / 1e9, Self.maximumSeconds)
    let count = max(0, Int(seconds * Self.framesPerSecond)) + 1
    let result = try await run(
      .name("nice"),
      arguments: [
        "-n", "10", "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "mjpeg", "-framerate", "\(Self.framesPerSecond)",
        "-i", "pipe:0", "-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-pix_fmt", "yuv420p", "-threads", "1",
        "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-movflags", "+faststart", "-map_metadata", "-1", "-fs",
        "\(KeptClip.maximumBytes - 65_536)", "-f", "mp4", out.path,
      ], input: .inputWriter, output: .discarded, error: .string(limit: 4096)
    ) { execution in
      // A film has even steps: at each of them the latest frame that was there.
      var index = 0
      for step in 0..<count {
        let time = first.at &+ Int64(Double(step) / Self.framesPerSecond * 1e9)
        while index + 1 < frames.count, frames[index + 1].at <= time { index += 1 }
        _ = try await execution.standardInputWriter.write(Array(frames[index].bytes))
      }
      try await execution.standardInputWriter.finish()
    }
    guard result.terminationStatus.isSuccess else {
      throw FilmError("ffmpeg made no film of it. Is it installed, with libx264?")
    }
    return [UInt8](try Data(contentsOf: out))
  }

  public func discard(_ check: SessionID) {
    try? FileManager.default.removeItem(at: reel(check))
  }

  public func reels() -> [SessionID] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".reel") }.compactMap { SessionID(String($0.dropLast(5))) }
  }

  /// An identifier has no character that could leave the folder.
  private func reel(_ check: SessionID) -> URL { folder.appendingPathComponent("\(check.text).reel") }

  /// The whole frames of a reel, in times that never step back.
  ///
  /// Times count from the process's start, and a reel outlives the process: what a server recorded that was started
  /// again goes on where the frame before it was.
  private static func frames(of reel: Data) -> [(at: Int64, bytes: Data)] {
    var frames: [(at: Int64, bytes: Data)] = []
    var shift: Int64 = 0
    var place = reel.startIndex
    while reel.endIndex - place >= 12 {
      let at = Int64(bitPattern: number(reel[place..<place + 8]))
      let count = Int(number(reel[place + 8..<place + 12]))
      guard reel.endIndex - place - 12 >= count else { break }
      if let before = frames.last?.at, at &+ shift < before { shift = before &- at }
      frames.append((at &+ shift, reel[place + 12..<place + 12 + count]))
      place += 12 + count
    }
    return frames
  }

  private static func bytes(of number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func number(_ bytes: Data) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
