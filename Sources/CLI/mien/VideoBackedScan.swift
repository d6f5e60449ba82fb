import Foundation
import MienDepth
import MienVideo
import MienScanFiles

/// Opens scans whose colour is a film: frames of it are their pictures, and lie in a folder of their own as long as somebody works on them.
enum VideoBackedScan {
  /// Opens a scan and does work on it.
  ///
  /// - Parameters:
  ///   - opening: opens it, with or without the frames that the hints name.
  ///   - films: where they may lie.
  ///   - work: is given the scan, and what there is to say of it, with why its film is not read.
  /// - Throws: ``ScanError``, `CancellationError`, what `work` throws.
  static func open<Value>(
    _ hints: ScanImporter.Hints, opening: (ScanImporter.Hints) throws(ScanError) -> ScanImporter,
    in films: VideoScratchDirectory, _ work: (ScanImporter, [ScanDiagnostic]) async throws -> Value
  ) async throws -> Value {
    let scan = try opening(hints)
    guard let film = scan.film else { return try await work(scan, scan.remarks) }
    let trouble: String
    do {
      return try await films.open(try bytes(of: film).count) { folder in
        try await unpack(film, into: folder)
        var more = hints
        more.filmFrames = folder + "/frames"
        let colored = try opening(more)
        return try await work(colored, colored.remarks)
      }
    } catch let error as VideoError {
      trouble = error.reason
    }
    let remarks = scan.remarks.map { remark in
      remark.code == .noteFilmNotRead ? ScanDiagnostic(remark.code, remark.values, detail: trouble) : remark
    }
    return try await work(scan, remarks)
  }

  /// A film that cannot be had is no reason not to read the scan.
  private static func bytes(of film: ScanVideo) throws(VideoError) -> any ByteSource {
    guard film.frames <= VideoFrameExtractor.mostFrames else {
      throw VideoError("The film has more than \(VideoFrameExtractor.mostFrames) frames.")
    }
    do { return try film.bytes() } catch { throw VideoError("The film cannot be had: \(error.reason).") }
  }

  private static func unpack(_ film: ScanVideo, into folder: String) async throws {
    let (frames, copy) = (folder + "/frames", folder + "/film.mp4")
    let bytes = try Self.bytes(of: film)
    do {
      try FileManager.default.createDirectory(
        atPath: frames, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try lay(bytes, at: copy)
      try await VideoFrameExtractor().unpack(copy, of: film.frames, into: frames)
      try FileManager.default.removeItem(atPath: copy)
    } catch let error as VideoError {
      throw error
    } catch {
      try Task.checkCancellation()
      throw VideoError("The film could not be laid down to be read. Is the disk full?")
    }
  }

  /// ffmpeg reads no archives, and cannot read a film whose table stands at its end from a pipe.
  private static func lay(_ bytes: any ByteSource, at path: String) throws {
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
