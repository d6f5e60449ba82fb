internal import Foundation
internal import MienChecks
internal import MienCore
internal import Subprocess

/// Encodes frame logs as clips with ffmpeg, a separate process that receives the frames one after another.
enum ClipEncoder {
  /// Encodes a clip in real time: H.264 in MP4.
  ///
  /// - Parameters:
  ///   - reader: Reader at the first frame; frames are decrypted one at a time.
  ///   - folder: Directory of the frame logs.
  /// - Throws: ``VideoError`` if there is no frame, if one cannot be decrypted, or if ffmpeg fails.
  static func encode(_ reader: FrameLogReader, draftsOf folder: URL) async throws -> [UInt8] {
    var reader = reader
    guard var shown = try reader.next() else { throw VideoError("The frame log is empty.") }
    var steps = ConstantFrameRateResampler(from: shown.at)
    let draft = try ClipOutputFile(of: folder)
    defer { draft.remove() }
    let result = try await run(
      .name("nice"),
      arguments: [
        "-n", "10", "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "mjpeg", "-framerate",
        "\(ConstantFrameRateResampler.perSecond)",
        "-i", "pipe:0", "-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-pix_fmt", "yuv420p", "-threads", "1",
        "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-movflags", "+faststart", "-map_metadata", "-1", "-fs",
        "\(ClipRecord.maximumBytes - 65_536)", "-f", "mp4", draft.file.path,
      ], input: .inputWriter, output: .discarded, error: .string(limit: 4096)
    ) { execution in
      while !steps.isFull, let next = try reader.next() {
        for _ in 0..<steps.steps(until: next.at) {
          _ = try await execution.standardInputWriter.write(shown.bytes)
        }
        shown = next
      }
      for _ in 0..<steps.lastSteps() { _ = try await execution.standardInputWriter.write(shown.bytes) }
      try await execution.standardInputWriter.finish()
    }
    guard result.terminationStatus.isSuccess else {
      throw VideoError("ffmpeg could not encode the clip. Is it installed with libx264?")
    }
    return try draft.bytes()
  }
}

extension PlatformOptions {
  /// Options that terminate a process gracefully on cancellation before it is killed: `timeout` forwards SIGTERM to its child process,
  /// but cannot forward SIGKILL.
  static var endedInOrder: PlatformOptions {
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(3))]
    return options
  }
}
