internal import MienPlatform
internal import Synchronization

/// Reads scans and reconstructs surfaces.
public protocol ScanProcessor: Sendable {
  /// Processes a scan's files, reports progress, and stores the results.
  ///
  /// - Throws: ``ScanProcessingError`` if the files are unusable, and `CancellationError`.
  func process(_ job: ScanProcessingJob) async throws -> ScanReport

  /// Returns the depth maps of the bundle that ``process(_:)`` stored under the name ``ScanProcessingJob/bundleName``.
  /// Nothing is read before the first image.
  func depthImages(of bundle: StoredFile) -> any ScanDepthImages
}

/// Images of a scan's depth maps, requested by many callers concurrently. May cache data that makes the next image
/// cheaper, but never the scan.
public protocol ScanDepthImages: Sendable {
  /// Returns a color image (PNG) of a depth map; `nil` if there is no such frame.
  func image(of frame: Int) async throws -> [UInt8]?
}

/// A scan that is being processed.
public struct ScanProcessingJob: Sendable {
  /// Name of the result that contains the scan as a bundle.
  public static let bundleName = "scan.mien"

  public let scan: ScanRecord
  let service: ScanService
  let phases: ScanPhaseTracer
  let results = ScanResultCollector()

  /// Opens a file of the scan for reading.
  public func open(_ file: ScanRecord.File) async throws -> StoredFile { try await service.open(file) }

  /// Reports progress; inexpensive.
  ///
  /// - Throws: `CancellationError` if the processing was canceled.
  public func report(_ phase: ScanRecord.Progress.Phase, _ fraction: Double) async throws {
    phases.enter(phase)
    try await service.report(scan.id, ScanRecord.Progress(phase, fraction))
  }

  /// Stores a result. It becomes visible once the processing is done.
  public func keep(_ name: String, type: String, _ bytes: [UInt8]) async throws {
    try await keep(name, type: type) { try await $0.append(bytes) }
  }

  /// Stores a result that is written incrementally; discards it if `write` throws.
  public func keep(
    _ name: String, type: String, writing write: (ScanResultWriter) async throws -> Void
  ) async throws {
    let file = try await service.begin()
    do {
      try await write(ScanResultWriter(file.writer))
      let written = try await file.writer.commit()
      await results.add(
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
