internal import Foundation
internal import MienPlatform
internal import MienReconstruction
internal import MienScanFiles
internal import MienScanFormat
internal import MienScanService

/// The files of a scan that is being processed.
struct SentScanFiles {
  enum Depth {
    case file(any ByteSource, named: String)
    case folder([String: any ByteSource])
  }

  /// Depth data: a single file by name, or all files as a folder.
  let depth: Depth
  private(set) var hints = ScanImporter.Hints()
  /// Photos that were uploaded beside the depth.
  let photos: [ScanRecord.File]
  private(set) var remarks: [ScanDiagnostic] = []

  /// Metadata that the original scanner app writes beside its depth maps; other members are ignored.
  private struct Metadata: Decodable {
    struct Format: Decodable {
      let width: Int?
      let height: Int?
      let pixel: String?
    }

    let device: String?
    let photoCount: Int?
    let frameCount: Int?
    let byteCount: Int?
    let format: Format?

    enum CodingKeys: String, CodingKey {
      case device
      case photoCount = "photo_count"
      case frameCount = "depth_frame_count"
      case byteCount = "total_depth_bytes"
      case format = "depth_format"
    }
  }

  /// - Parameter failure: receives the first error while the files are read.
  /// - Throws: ``ScanProcessingError``, and errors of the store.
  init(_ job: ScanProcessingJob, failure: StoredReadFailure) async throws {
    let files = job.scan.files
    var sources: [String: any ByteSource] = [:]
    for file in files { sources[file.name] = StoredByteSource(try await job.open(file), failure: failure) }
    photos = Self.photos(files)
    let named = Self.container(files) ?? Self.depthFile(files)
    depth = named.flatMap { file in sources[file.name].map { .file($0, named: file.name) } } ?? .folder(sources)
    if let metadata = sources["metadata.json"], let bare = Self.depthFile(files).flatMap({ sources[$0.name] }) {
      try read(metadata, bare)
    }
  }

  /// - Throws: ``ScanError``, with advice for raw depth maps whose layout is not described.
  func open(_ hints: ScanImporter.Hints) throws(ScanError) -> ScanImporter {
    switch depth {
    case .folder(let files): return try ScanImporter(files: files, named: "the scan", hints: hints)
    case .file(let file, let name):
      do throws(ScanError) {
        return try ScanImporter(file: file, named: name, hints: hints)
      } catch {
        let isDescribed = hints.size != nil && hints.samples != nil
        let isWhole = hints.byteCount.map { $0 == file.count } ?? true
        guard error.code == .refused, name.hasSuffix(".bin"), !isDescribed, isWhole else { throw error }
        throw ScanError(error.code, error.reason + Self.advice, byte: error.byte, frame: error.frame)
      }
    }
  }

  private static let advice =
    ". State it in the metadata as \"depth_format\": {\"width\": …, \"height\": …, \"pixel\": \"uint16_mm\", "
    + "\"float32_m\" or \"float16_m\"}, and send the scan again."

  /// Maximum size of the metadata in bytes; apps write a few hundred.
  private static let largestMetadata = 64 << 10

  private mutating func read(_ file: any ByteSource, _ depth: any ByteSource) throws {
    guard file.count <= Self.largestMetadata else {
      throw ScanProcessingError(
        code: "bad-metadata",
        detail: "metadata.json has \(file.count) bytes; at most \(Self.largestMetadata) are read."
      )
    }
    let bytes = Data(file.bytes(0..<file.count))
    let metadata: Metadata
    do {
      metadata = try JSONDecoder().decode(Metadata.self, from: bytes)
    } catch {
      throw ScanProcessingError(
        code: "bad-metadata",
        detail: "metadata.json cannot be read: it must be JSON as described in Documentation/guides/Scans.md."
      )
    }
    hints.frameCount = metadata.frameCount
    hints.byteCount = metadata.byteCount
    if let width = metadata.format?.width, let height = metadata.format?.height { hints.size = (width, height) }
    if let pixel = metadata.format?.pixel {
      guard let samples = RawDepthFile.Samples(pixel: pixel) else {
        throw ScanProcessingError(
          code: "bad-metadata", detail: "\"pixel\" of \"depth_format\" must be uint16_mm, float32_m or float16_m.")
      }
      hints.samples = samples
    }
    if metadata.format == nil { RawDepthLayoutGuess.guess(depth, into: &hints) }
    if let announced = metadata.photoCount, announced != photos.count {
      remarks.append(
        ScanDiagnostic(.notePhotosAnnounced, ["announced": "\(announced)", "came": "\(photos.count)"]))
    }
  }

  /// Returns a file that holds a whole scan: a bundle or an archive.
  private static func container(_ files: [ScanRecord.File]) -> ScanRecord.File? {
    files.first { $0.type == "application/x-mien-scan" } ?? files.first { $0.type == "application/zip" }
  }

  /// Returns the file with raw depth maps.
  private static func depthFile(_ files: [ScanRecord.File]) -> ScanRecord.File? {
    let bare = files.filter { !$0.name.contains("/") && $0.name.lowercased().hasSuffix(".bin") }
    return bare.first { $0.name == "depth_scan.bin" } ?? (bare.count == 1 ? bare.first : nil)
  }

  /// Returns the photos: those recognized by name, or all images if the scan is a single file.
  private static func photos(_ files: [ScanRecord.File]) -> [ScanRecord.File] {
    let images = files.filter { ["image/jpeg", "image/png"].contains($0.type) && !$0.name.contains("/") }
    guard container(files) == nil, depthFile(files) == nil else { return images }
    return images.filter { image in ["image", "photo"].contains { image.name.lowercased().hasPrefix($0) } }
  }
}

/// Guesses the layout of raw depth maps from a phone app that does not describe them: landscape orientation, a size
/// used by phones, and values that are plausible distances.
enum RawDepthLayoutGuess {
  private static let sizes = [(256, 192), (320, 240), (640, 480), (768, 576), (960, 720)]

  /// Adds the layout to the hints if frame length and values determine it unambiguously; otherwise leaves them
  /// unchanged.
  static func guess(_ file: any ByteSource, into hints: inout ScanImporter.Hints) {
    let bytes = file.count
    guard hints.size == nil, hints.samples == nil, let frames = hints.frameCount, frames > 0, bytes % frames == 0,
      let (size, width) = layout(of: bytes / frames)
    else { return }
    if width == 4 {
      (hints.size, hints.samples) = (size, .float32)
      return
    }
    // Frame in the middle of the file.
    let start = bytes / frames * (frames / 2)
    let samples = samples(file.bytes(start..<start + bytes / frames))
    // Distances of 0.1 to 9 m have bit patterns that hardly overlap as whole millimeters and as half-precision floats.
    let measured = samples.filter { $0 > 0 }
    let whole = measured.count { (100...9000).contains($0) }
    let half = measured.count { (0x2E66...0x4880).contains($0) }
    guard measured.count >= 100 else { return }
    if whole * 10 >= measured.count * 9, half * 2 < measured.count {
      (hints.size, hints.samples) = (size, .whole16)
    } else if half * 10 >= measured.count * 9, whole * 2 < measured.count {
      (hints.size, hints.samples) = (size, .float16)
    }
  }

  /// Returns the size and the bytes per sample that fit a frame of `frame` bytes, or `nil`.
  private static func layout(of frame: Int) -> (size: (Int, Int), width: Int)? {
    for size in sizes {
      for width in [2, 4] where size.0 * size.1 * width == frame { return (size, width) }
    }
    return nil
  }

  private static func samples(_ bytes: [UInt8]) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
  }
}
