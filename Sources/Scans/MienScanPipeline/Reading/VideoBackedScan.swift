internal import Foundation
internal import MienScanFormat
package import MienReconstruction
package import MienScanFiles
package import MienVideo

/// Opens scans whose color images are in a video: its frames are unpacked to a temporary folder while the scan is
/// processed.
package enum VideoBackedScan {
  /// Opens a scan and runs `work` on it.
  ///
  /// - Parameters:
  ///   - opening: opens the scan, with or without the unpacked frames that the hints refer to.
  ///   - scratch: parent folder for the unpacked frames.
  ///   - work: receives the scan and its diagnostics, including the reason if its video could not be read.
  /// - Throws: ``ScanError``, `CancellationError`, and any error thrown by `work`.
  package static func open<Value>(
    _ hints: ScanImporter.Hints, opening: (ScanImporter.Hints) throws -> ScanImporter,
    in scratch: VideoScratchDirectory, _ work: (ScanImporter, [ScanDiagnostic]) async throws -> Value
  ) async throws -> Value {
    let scan = try opening(hints)
    guard let video = scan.video else { return try await work(scan, scan.remarks) }
    let failure: String
    do {
      return try await scratch.open(try bytes(of: video).count) { folder in
        try await unpack(video, into: folder)
        var more = hints
        more.videoFrames = folder + "/frames"
        let colored = try opening(more)
        return try await work(colored, colored.remarks)
      }
    } catch let error as VideoError {
      failure = error.reason
    }
    let remarks = scan.remarks.map { remark in
      remark.code == .noteVideoNotRead ? ScanDiagnostic(remark.code, remark.values, detail: failure) : remark
    }
    return try await work(scan, remarks)
  }

  /// Throws ``VideoError`` instead of ``ScanError``, because a scan without its video can still be read.
  private static func bytes(of video: ScanVideo) throws(VideoError) -> any ByteSource {
    guard video.frames <= VideoFrameExtractor.mostFrames else {
      throw VideoError("The video has more than \(VideoFrameExtractor.mostFrames) frames.")
    }
    do { return try video.bytes() } catch { throw VideoError("The video cannot be read: \(error.reason).") }
  }

  private static func unpack(_ video: ScanVideo, into folder: String) async throws {
    let (frames, copy) = (folder + "/frames", folder + "/video.mp4")
    let bytes = try Self.bytes(of: video)
    do {
      try FileManager.default.createDirectory(
        atPath: frames, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try write(bytes, to: copy)
      try await VideoFrameExtractor().unpack(copy, of: video.frames, into: frames)
      try FileManager.default.removeItem(atPath: copy)
    } catch let error as VideoError {
      throw error
    } catch {
      try Task.checkCancellation()
      throw VideoError("The video could not be stored for decoding. Is the disk full?")
    }
  }

  /// Copies the video to a file: ffmpeg cannot read archives, nor a video from a pipe if its index is at the end.
  private static func write(_ bytes: any ByteSource, to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    for place in stride(from: 0, to: bytes.count, by: 1 << 20) {
      try Task.checkCancellation()
      try file.write(contentsOf: bytes.bytes(place..<min(place + 1 << 20, bytes.count)))
    }
  }
}
