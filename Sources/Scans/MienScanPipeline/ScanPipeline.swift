internal import Foundation
internal import MienCodecs
internal import MienFiles
internal import MienScanFormat
internal import MienScanFiles
package import MienPlatform
package import MienScanService
package import MienVideo
internal import MienWorkers

/// Processes uploaded scans: reads, grades, reconstructs and renders them.
package struct ScanPipeline: ScanProcessor {
  private let observer: any FaceTracking
  /// Folder for the frames of a video while they are processed.
  private let videoFrames: VideoScratchDirectory
  /// Signs an exported surface with its name; `nil` on a server without a certificate.
  private let signing: (@Sendable ([UInt8], String) -> [UInt8]?)?
  /// Pause before the tracker is asked again when it is busy.
  private let pause: @Sendable () async throws -> Void

  package init(
    observer: any FaceTracking, videoFrames: VideoScratchDirectory,
    signing: (@Sendable ([UInt8], String) -> [UInt8]?)? = nil, pause: @escaping @Sendable () async throws -> Void
  ) {
    self.observer = observer
    self.videoFrames = videoFrames
    self.signing = signing
    self.pause = pause
  }

  package func process(_ job: ScanProcessingJob) async throws -> ScanReport {
    try await WorkerPool.scans.runTask { try await work(on: job) }
  }

  package func depthImages(of bundle: StoredFile) -> any ScanDepthImages {
    RenderedDepthMaps(scan: RemoteScanSource(bytes: bundle.count, read: bundle.read))
  }

  private func work(on job: ScanProcessingJob) async throws -> ScanReport {
    let failure = StoredReadFailure()
    do {
      let report = try await report(of: job, failure)
      try failure.check()
      return report
    } catch {
      // A store that failed is not the scan's fault, whatever its readers made of the missing bytes.
      try failure.check()
      throw error
    }
  }

  private func report(of job: ScanProcessingJob, _ failure: StoredReadFailure) async throws -> ScanReport {
    do {
      let files = try await SentScanFiles(job, failure: failure)
      let retrying = RetryingFaceTracker(observer, tries: 100, pause: pause)
      return try await ScanPipelineRun(
        job: job, files: files, observer: retrying, videoFrames: videoFrames, signing: signing
      )
      .run()
    } catch let error as ScanError {
      throw ScanProcessingError(code: error.code.word, detail: error.description)
    } catch let error as OperationError {
      throw ScanProcessingError(code: "refused", detail: "\(error)")
    }
  }
}

private struct RenderedDepthMaps: ScanDepthImages {
  let scan: RemoteScanSource

  func image(of frame: Int) async throws -> [UInt8]? {
    guard let map = try await scan.frame(at: frame) else { return nil }
    return try await WorkerPool.shared.run { try PNGEncoder().encode(MeshRenderer.draw(map)) }
  }
}

extension ScanError.Code {
  /// Machine-readable error code.
  var word: String {
    switch self {
    case .notAScan: "not-a-scan"
    case .unsupported: "unsupported"
    case .damaged: "damaged"
    case .cutShort: "cut-short"
    case .missing: "missing"
    case .tooMuch: "too-much"
    default: "refused"
    }
  }
}
