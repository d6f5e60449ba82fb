internal import Foundation
internal import MienDepth
internal import MienScanFiles
internal import MienService

/// Stages a scan's files, encrypted, in a folder for processing.
struct ScanStaging {
  /// Staged files.
  struct Files {
    /// Depth data: a single file by name, or all files as a folder.
    let depth: Depth
    let hints: ScanImporter.Hints
    /// Photos that were uploaded beside the depth.
    let photos: [ScanRecord.File]
    let remarks: [ScanDiagnostic]

    enum Depth {
      case file(any ByteSource, named: String)
      case folder([String: any ByteSource])
    }

    /// - Throws: ``ScanError``.
    func open(_ hints: ScanImporter.Hints) throws(ScanError) -> ScanImporter {
      switch depth {
      case .file(let file, let name): try ScanImporter(file: file, named: name, hints: hints)
      case .folder(let files): try ScanImporter(files: files, named: "the scan", hints: hints)
      }
    }
  }

  private let folder: String
  /// Source of the keys of the staged files.
  private let random: @Sendable (Int) -> [UInt8]

  init(_ folder: String, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.folder = folder
    self.random = random
  }

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

  /// - Throws: ``ScanError``, ``ScanProcessingError``, ``StoreError``, and system errors if the disk is full.
  func lay(_ job: ScanProcessingJob) async throws -> Files {
    let files = job.scan.files
    var hints = ScanImporter.Hints()
    var remarks: [ScanDiagnostic] = []
    let photos = Self.photos(files)
    var laid: [String: any ByteSource] = [:]
    for (number, file) in files.enumerated() {
      laid[file.name] = try await lay(file, as: number, of: job)
      try await job.report(.reading, Double(number + 1) / Double(files.count))
    }
    let bare = Self.depthFile(files).flatMap { laid[$0.name] }
    if let metadata = laid["metadata.json"], let bare { try read(metadata, bare, of: job, into: &hints, &remarks) }
    let named = Self.container(files) ?? Self.depthFile(files)
    let depth = named.flatMap { file in laid[file.name].map { Files.Depth.file($0, named: file.name) } }
    return Files(depth: depth ?? .folder(laid), hints: hints, photos: photos, remarks: remarks)
  }

  /// Maximum size of the metadata in bytes; apps write a few hundred.
  private static let largestMetadata = 64 << 10

  private func read(
    _ file: any ByteSource, _ depth: any ByteSource, of job: ScanProcessingJob, into hints: inout ScanImporter.Hints,
    _ remarks: inout [ScanDiagnostic]
  ) throws {
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
        detail: "metadata.json cannot be read: it must be JSON as Documentation/guides/Scans.md says."
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
    let came = Self.photos(job.scan.files).count
    if let announced = metadata.photoCount, announced != came {
      remarks.append(ScanDiagnostic(.notePhotosAnnounced, ["announced": "\(announced)", "came": "\(came)"]))
    }
  }

  /// Stages a file under its index instead of its name, which is not needed to find it.
  private func lay(_ file: ScanRecord.File, as number: Int, of job: ScanProcessingJob) async throws
    -> EncryptedScratchFile
  {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var writer = try EncryptedScratchFileWriter("\(folder)/\(number)", random: random)
    do {
      var done = 0
      while done < file.bytes {
        let bytes = try await job.read(file, done..<min(done + 1 << 20, file.bytes))
        guard !bytes.isEmpty else { throw StoreError(.missing, reason: "A file ends before its time.") }
        try writer.append(bytes)
        done += bytes.count
      }
      return try writer.end()
    } catch {
      writer.close()
      throw error
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
