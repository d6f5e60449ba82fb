internal import Foundation
internal import MienCodecs
internal import MienFiles
internal import MienDepth
internal import MienScanFiles
package import MienService
package import MienVideo
internal import MienWorkers

/// Processes uploaded scans: reads, grades, reconstructs and renders them.
package struct ScanPipeline {
  private let observer: any FaceTracking
  /// Folder for the scan's files while they are processed.
  private let folder: String
  /// Folder for the frames of a video while they are processed.
  private let videoFrames: VideoScratchDirectory
  /// Source of the keys that encrypt the files in ``folder``.
  private let random: @Sendable (Int) -> [UInt8]
  /// Pause before the tracker is asked again when it is busy.
  private let pause: @Sendable () async throws -> Void

  package init(
    observer: any FaceTracking, folder: String, videoFrames: VideoScratchDirectory,
    random: @escaping @Sendable (Int) -> [UInt8], pause: @escaping @Sendable () async throws -> Void
  ) {
    self.observer = observer
    self.folder = folder
    self.videoFrames = videoFrames
    self.random = random
    self.pause = pause
  }

  package var processor: ScanProcessor {
    ScanProcessor(
      work: { job in try await WorkerPool.scans.runTask { try await work(on: job) } },
      depthImages: { depthImages(bytes: $0, read: $1) })
  }

  private func work(on job: ScanProcessingJob) async throws -> ScanReport {
    let place = folder + "/" + job.scan.id.text
    try? FileManager.default.removeItem(atPath: place)
    defer { try? FileManager.default.removeItem(atPath: place) }
    do {
      let files = try await ScanStaging(place, random: random).lay(job)
      let patient = RetryingFaceTracker(observer, tries: 100, pause: pause)
      return try await ScanPipelineRun(job: job, files: files, observer: patient, videoFrames: videoFrames).run()
    } catch let error as ScanError {
      throw ScanProcessingError(code: error.code.word, detail: error.description + advice(on: error, job))
    } catch let error as OperationError {
      throw ScanProcessingError(code: "refused", detail: "\(error)")
    }
  }

  /// Returns advice for the error of raw depth maps whose layout is not described.
  private func advice(on error: ScanError, _ job: ScanProcessingJob) -> String {
    guard error.code == .refused, job.scan.files.contains(where: { $0.name == "depth_scan.bin" }) else { return "" }
    return
      ". Say it in the metadata, as \"depth_format\": {\"width\": …, \"height\": …, \"pixel\": \"uint16_mm\", "
      + "\"float32_m\" or \"float16_m\"}, and send the scan again."
  }

  private func depthImages(bytes: Int, read: @escaping ScanProcessor.Reading) -> ScanProcessor.DepthImages {
    let scan = RemoteScanSource(bytes: bytes, read: read)
    return { number in
      guard let frame = try await scan.frame(at: number) else { return nil }
      return try await WorkerPool.shared.run { try PNGEncoder().encode(MeshRenderer.draw(frame)) }
    }
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
