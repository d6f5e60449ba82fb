/// Reads scans and makes surfaces of them; the composition root hands it in.
public protocol ScanWorkshop: Sendable {
  /// Works through a scan's files, tells how far it is, and hands over what it makes.
  ///
  /// - Throws: ``ScanWorkError`` when nothing can be made of the files; `CancellationError`.
  @concurrent func work(on job: ScanJob) async throws -> ScanOutcome
  /// A picture (PNG) of a depth map, in colours; nil when there is no such frame.
  ///
  /// - Parameter bundle: the scan as the work wrote it, under the name ``ScanJob/bundleName``.
  @concurrent func depthPicture(of frame: Int, in bundle: [UInt8]) async throws -> [UInt8]?
}

/// A scan on the bench.
public struct ScanJob: Sendable {
  /// The name of the result that holds the scan as a bundle.
  public static let bundleName = "scan.mien"

  public let scan: ScanRecord
  private let reader: @Sendable (BlobID, Range<Int>) async throws -> [UInt8]
  private let teller: @Sendable (ScanRecord.Progress) async throws -> Void
  private let keeper: @Sendable (String, String, [UInt8]) async throws -> Void

  public init(
    scan: ScanRecord, read: @escaping @Sendable (BlobID, Range<Int>) async throws -> [UInt8],
    tell: @escaping @Sendable (ScanRecord.Progress) async throws -> Void,
    keep: @escaping @Sendable (String, String, [UInt8]) async throws -> Void
  ) {
    self.scan = scan
    reader = read
    teller = tell
    keeper = keep
  }

  /// Some bytes of a file of the scan.
  public func read(_ file: ScanRecord.File, _ range: Range<Int>) async throws -> [UInt8] {
    guard let blob = file.blob else { throw StoreError(.missing, reason: "A file is not whole.") }
    return try await reader(blob, range)
  }

  /// Tells how far the work is; cheap.
  ///
  /// - Throws: `CancellationError` when nobody wants the work any more.
  public func tell(_ phase: ScanRecord.Progress.Phase, _ fraction: Double) async throws {
    try await teller(ScanRecord.Progress(phase, fraction))
  }

  /// Keeps a result. It is seen when the work is done, not before.
  public func keep(_ name: String, type: String, _ bytes: [UInt8]) async throws {
    try await keeper(name, type, bytes)
  }
}

/// Why nothing could be made of a scan: words for who sent it.
public struct ScanWorkError: Error, Hashable, Sendable, CustomStringConvertible {
  public let problem: ScanRecord.Problem

  public init(code: String, detail: String) {
    problem = ScanRecord.Problem(code: code, detail: detail)
  }

  public var description: String { "\(problem.code): \(problem.detail)" }
}
