public import MienPlatform
internal import Synchronization

/// Reads scans and reconstructs surfaces; injected by the composition root.
public struct ScanProcessor: Sendable {
  /// Reads a range of a file, truncated at its end.
  public typealias Reading = @Sendable (Range<Int>) async throws -> [UInt8]
  /// Returns a color image (PNG) of a depth map; `nil` if there is no such frame.
  public typealias DepthImages = @concurrent @Sendable (_ frame: Int) async throws -> [UInt8]?

  let work: @concurrent @Sendable (ScanProcessingJob) async throws -> ScanReport
  let depthImages: @Sendable (_ bytes: Int, _ read: @escaping Reading) -> DepthImages

  /// - Parameters:
  ///   - work: processes a scan's files, reports progress, and passes on the results. Throws ``ScanProcessingError`` if
  ///     the files are unusable, and `CancellationError`.
  ///   - depthImages: provides images of a scan's depth maps. It receives the length of, and a function to read, the
  ///     bundle that `work` wrote under the name ``ScanProcessingJob/bundleName``; nothing is read before the first
  ///     image. The returned function may cache data that makes the next image cheaper, but never the scan, and is used
  ///     by many requests concurrently.
  public init(
    work: @escaping @concurrent @Sendable (ScanProcessingJob) async throws -> ScanReport,
    depthImages: @escaping @Sendable (_ bytes: Int, _ read: @escaping Reading) -> DepthImages
  ) {
    self.work = work
    self.depthImages = depthImages
  }
}

/// A scan that is being processed.
public struct ScanProcessingJob: Sendable {
  /// Name of the result that contains the scan as a bundle.
  public static let bundleName = "scan.mien"

  public let scan: ScanRecord
  private let opener: @Sendable (ScanRecord.File) async throws -> StoredFile
  private let reporter: @Sendable (ScanRecord.Progress) async throws -> Void
  private let beginner: @Sendable () async throws -> PendingBlob
  private let owner: @Sendable (ScanRecord.File) async -> Void

  /// - Parameters:
  ///   - begin: creates a blob that is not visible before it is committed.
  ///   - keep: called for each committed result.
  public init(
    scan: ScanRecord, open: @escaping @Sendable (ScanRecord.File) async throws -> StoredFile,
    tell: @escaping @Sendable (ScanRecord.Progress) async throws -> Void,
    begin: @escaping @Sendable () async throws -> PendingBlob,
    keep: @escaping @Sendable (ScanRecord.File) async -> Void
  ) {
    self.scan = scan
    opener = open
    reporter = tell
    beginner = begin
    owner = keep
  }

  /// Opens a file of the scan for reading.
  public func open(_ file: ScanRecord.File) async throws -> StoredFile { try await opener(file) }

  /// Reports progress; inexpensive.
  ///
  /// - Throws: `CancellationError` if the processing was canceled.
  public func report(_ phase: ScanRecord.Progress.Phase, _ fraction: Double) async throws {
    try await reporter(ScanRecord.Progress(phase, fraction))
  }

  /// Stores a result. It becomes visible once the processing is done.
  public func keep(_ name: String, type: String, _ bytes: [UInt8]) async throws {
    try await keep(name, type: type) { try await $0.append(bytes) }
  }

  /// Stores a result that is written incrementally; discards it if `write` throws.
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

/// The reason why a scan could not be processed, worded for its sender.
public struct ScanProcessingError: Error, Hashable, Sendable, CustomStringConvertible {
  public let problem: ScanRecord.Problem

  public init(code: String, detail: String) {
    problem = ScanRecord.Problem(code: code, detail: detail)
  }

  public var description: String { "\(problem.code): \(problem.detail)" }
}

/// Writes one processing result incrementally, so that it does not have to fit in memory.
public struct ScanResultWriter: Sendable {
  /// Maximum number of bytes passed to the store at once: a store may copy them, and encryption doubles them.
  static let largestPiece = 1 << 20

  private let writer: any BlobWriter

  init(_ writer: any BlobWriter) { self.writer = writer }

  /// Appends bytes; returns when they no longer need to be held.
  public func append(_ bytes: [UInt8]) async throws {
    guard bytes.count > Self.largestPiece else { return try await writer.write(bytes) }
    for start in stride(from: 0, to: bytes.count, by: Self.largestPiece) {
      try await writer.write(Array(bytes[start..<min(start + Self.largestPiece, bytes.count)]))
    }
  }
}

/// Traces the consecutive phases of scan processing as spans.
final class ScanPhaseTracer: Sendable {
  private let traces: TracingContext
  private let current = Mutex<(phase: ScanRecord.Progress.Phase, span: ActiveSpan?)?>(nil)

  init(_ traces: TracingContext) { self.traces = traces }

  /// Starts a phase and ends the previous one; the same phase continues.
  func enter(_ phase: ScanRecord.Progress.Phase) {
    guard traces.isOn else { return }
    current.withLock { current in
      guard current?.phase != phase else { return }
      current?.span?.end()
      current = (phase: phase, span: traces.beginPart(SpanName("scan", phase), isCounted: false))
    }
  }

  /// Ends the current phase, if there is one.
  func leave(_ ending: SpanOutcome = .done) { current.withLock { $0.take() }?.span?.end(ending) }
}
