/// Reads scans and makes surfaces of them; the composition root hands it in.
public struct ScanProcessor: Sendable {
  /// Reads a part of a file, cut where it ends.
  public typealias Reading = @Sendable (Range<Int>) async throws -> [UInt8]
  /// A picture (PNG) of a depth map, in colours; nil when there is no such frame.
  public typealias DepthImages = @concurrent @Sendable (_ frame: Int) async throws -> [UInt8]?

  let work: @concurrent @Sendable (ScanProcessingJob) async throws -> ScanReport
  let depthImages: @Sendable (_ bytes: Int, _ read: @escaping Reading) -> DepthImages

  /// - Parameters:
  ///   - work: works through a scan's files, tells how far it is, and hands over what it makes. Throws ``ScanProcessingError``
  ///     when nothing can be made of the files, and `CancellationError`.
  ///   - depthPictures: the pictures of a scan's depth maps. It is given the length, and what reads parts, of the scan
  ///     as the work wrote it under the name ``ScanProcessingJob/bundleName``; nothing is read before the first picture. What it
  ///     returns may hold what makes the next picture cheap, never the scan, and is used by many requests at once.
  public init(
    work: @escaping @concurrent @Sendable (ScanProcessingJob) async throws -> ScanReport,
    depthImages: @escaping @Sendable (_ bytes: Int, _ read: @escaping Reading) -> DepthImages
  ) {
    self.work = work
    self.depthImages = depthImages
  }
}

/// A scan on the bench.
public struct ScanProcessingJob: Sendable {
  /// The name of the result that holds the scan as a bundle.
  public static let bundleName = "scan.mien"

  public let scan: ScanRecord
  private let reader: @Sendable (BlobID, Range<Int>) async throws -> [UInt8]
  private let reporter: @Sendable (ScanRecord.Progress) async throws -> Void
  private let beginner: @Sendable () async throws -> CaptureDraft.PendingBlob
  private let owner: @Sendable (ScanRecord.File) async -> Void

  /// - Parameters:
  ///   - begin: begins a file that nobody sees before it is kept.
  ///   - keep: is told of each result that is kept.
  public init(
    scan: ScanRecord, read: @escaping @Sendable (BlobID, Range<Int>) async throws -> [UInt8],
    tell: @escaping @Sendable (ScanRecord.Progress) async throws -> Void,
    begin: @escaping @Sendable () async throws -> CaptureDraft.PendingBlob,
    keep: @escaping @Sendable (ScanRecord.File) async -> Void
  ) {
    self.scan = scan
    reader = read
    reporter = tell
    beginner = begin
    owner = keep
  }

  /// Some bytes of a file of the scan.
  public func read(_ file: ScanRecord.File, _ range: Range<Int>) async throws -> [UInt8] {
    guard let blob = file.blob else { throw StoreError(.missing, reason: "A file is not whole.") }
    return try await reader(blob, range)
  }

  /// Tells how far the work is; cheap.
  ///
  /// - Throws: `CancellationError` when nobody wants the work any more.
  public func report(_ phase: ScanRecord.Progress.Phase, _ fraction: Double) async throws {
    try await reporter(ScanRecord.Progress(phase, fraction))
  }

  /// Keeps a result. It is seen when the work is done, not before.
  public func keep(_ name: String, type: String, _ bytes: [UInt8]) async throws {
    try await keep(name, type: type) { try await $0.append(bytes) }
  }

  /// Keeps a result that is written piece by piece; nothing of it when `write` throws.
  public func keep(
    _ name: String, type: String, writing write: (ScanResultWriter) async throws -> Void
  ) async throws {
    let file = try await beginner()
    do {
      try await write(ScanResultWriter(file.writer))
      let written = try await file.writer.commit()
      await owner(
        ScanRecord.File(
          name: name, bytes: written.size, received: written.size, type: type, blob: file.blob,
          digest: ContentDigest(bytes: written.digest)))
    } catch {
      await file.writer.discard()
      throw error
    }
  }
}

/// Why nothing could be made of a scan: words for who sent it.
public struct ScanProcessingError: Error, Hashable, Sendable, CustomStringConvertible {
  public let problem: ScanRecord.Problem

  public init(code: String, detail: String) {
    problem = ScanRecord.Problem(code: code, detail: detail)
  }

  public var description: String { "\(problem.code): \(problem.detail)" }
}
