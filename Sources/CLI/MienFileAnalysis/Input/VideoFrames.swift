internal import Foundation
package import MienCore
internal import MienFiles
internal import Subprocess

/// Decodes a video with ffmpeg in a separate process, as a sequence of JPEG images.
///
/// Frames are upright (rotation applied) and have their own timestamps.
package struct VideoFrames {
  private let path: String

  package init(path: String) { self.path = path }

  /// Calls `body` with each frame, its index and the total number of frames.
  ///
  /// - Throws: ``OperationError`` if ffmpeg is missing or cannot read the file, and any error thrown by `body`.
  package func forEach(_ body: (EncodedFrame, Int, Int) async throws -> Void) async throws {
    guard FileManager.default.fileExists(atPath: path) else { throw OperationError("\(path) is not there.") }
    let times = try await timestamps()
    let result = try await Self.tool("ffmpeg") {
      try await run(
        .name("ffmpeg"),
        arguments: [
          "-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough",
          // Frames at irregular intervals need a fine time base, or two of them would share one tick of the encoder.
          "-enc_time_base", "1:90000", "-c:v", "mjpeg", "-q:v",
          "2",
          "-pix_fmt", "yuvj420p", "-f", "image2pipe", "-",
        ], input: .none, output: .sequence, error: .string(limit: 16_384)
      ) { execution in
        var splitter = MJPEGStreamParser()
        var index = 0
        for try await chunk in execution.standardOutput {
          splitter.append(unsafe chunk.withUnsafeBytes { unsafe [UInt8]($0) })
          while let jpeg = splitter.next() {
            let at = index < times.count ? times[index] : times.last ?? .zero
            try await body(EncodedFrame(bytes: jpeg, at: at), index, times.count)
            index += 1
          }
        }
        return index
      }
    }
    guard result.terminationStatus.isSuccess, result.closureResult > 0 else {
      throw unreadable(result.standardError)
    }
  }

  /// Returns the error for a file that is no video or a damaged one, with the last line that the tool printed.
  private func unreadable(_ messages: String) -> OperationError {
    let last = messages.split(whereSeparator: \.isNewline).last.map(String.init) ?? "no frames"
    // The tools begin their lines with the path.
    let reason = last.hasPrefix("\(path): ") ? String(last.dropFirst(path.count + 2)) : last
    let isOrdinary = reason == "Invalid data found when processing input"
    return OperationError("\(path) is not a video that ffmpeg can read\(isOrdinary ? "" : " (\(reason))").")
  }

  private func timestamps() async throws -> [MonotonicInstant] {
    let result = try await Self.tool("ffprobe") {
      try await run(
        .name("ffprobe"),
        arguments: [
          "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time", "-of",
          "csv=p=0", path,
        ], input: .none, output: .string(limit: 64 << 20), error: .string(limit: 16_384))
    }
    guard result.terminationStatus.isSuccess else {
      throw unreadable(result.standardError)
    }
    return result.standardOutput.split(separator: "\n").compactMap { line in
      line.split(separator: ",").first.flatMap { Double($0) }.flatMap { MonotonicInstant(seconds: $0) }
    }
  }

  private static func tool<Value>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw OperationError("\(name) is missing. Install it: apt-get install ffmpeg")
    }
  }
}

/// Splits a stream of concatenated JPEG files by their markers (ITU-T T.81, B.1.1).
struct MJPEGStreamParser {
  private var buffer: [UInt8] = []
  private var scan = 0
  private var inEntropyData = false

  mutating func append(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  /// Returns the next complete file, or `nil` until more bytes are appended.
  mutating func next() -> [UInt8]? {
    while scan + 1 < buffer.count {
      guard buffer[scan] == 0xFF else {
        scan += 1
        continue
      }
      let marker = buffer[scan + 1]
      if inEntropyData {
        if marker == 0x00 || marker == 0xFF || (0xD0...0xD7).contains(marker) {
          scan += marker == 0xFF ? 1 : 2
          continue
        }
        inEntropyData = false
      }
      switch marker {
      case 0xD9:
        let file = Array(buffer[..<(scan + 2)])
        buffer.removeFirst(scan + 2)
        scan = 0
        return file
      case 0xD8, 0xFF: scan += marker == 0xFF ? 1 : 2
      default:
        guard scan + 3 < buffer.count else { return nil }
        let next = scan + 2 + Int(buffer[scan + 2]) << 8 + Int(buffer[scan + 3])
        guard next <= buffer.count else { return nil }
        inEntropyData = marker == 0xDA
        scan = next
      }
    }
    return nil
  }
}
