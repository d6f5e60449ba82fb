public import MienScanService

/// Processor of scans for tests, which runs a given closure and has no depth maps.
public struct ScriptedScanProcessor: ScanProcessor, ScanDepthImages {
  private let work: @Sendable (ScanProcessingJob) async throws -> ScanReport

  /// - Parameter work: processes a scan; by default, it has no results.
  public init(_ work: @escaping @Sendable (ScanProcessingJob) async throws -> ScanReport = { _ in ScanReport() }) {
    self.work = work
  }

  public func process(_ job: ScanProcessingJob) async throws -> ScanReport { try await work(job) }
  public func depthImages(of bundle: StoredFile) -> any ScanDepthImages { self }
  public func image(of frame: Int) async throws -> [UInt8]? { nil }
}
