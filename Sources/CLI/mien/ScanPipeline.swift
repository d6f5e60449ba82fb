import Foundation
import MienCodecs
import MienDepth
import MienVideo
import MienImaging
import MienCore
import MienScanFiles
import MienService
import MienWorkers

/// Processes uploaded scans: reads, grades, reconstructs and renders them.
struct ScanPipeline<Observer: FaceTracking> {
  let observer: Observer
  /// Folder for the scan's files while they are processed.
  let folder: String
  /// Folder for the frames of a video while they are processed.
  let films: VideoScratchDirectory

  var processor: ScanProcessor {
    ScanProcessor(
      work: { job in try await WorkerPool.scans.runTask { try await work(on: job) } },
      depthImages: { depthImages(bytes: $0, read: $1) })
  }

  private func work(on job: ScanProcessingJob) async throws -> ScanReport {
    let place = folder + "/" + job.scan.id.text
    try? FileManager.default.removeItem(atPath: place)
    defer { try? FileManager.default.removeItem(atPath: place) }
    do {
      let files = try await ScanStaging(place).lay(job)
      // Retries for 30 seconds in total.
      let patient = RetryingFaceTracker(observer, tries: 100) { try await Task.sleep(for: .milliseconds(300)) }
      return try await ScanPipelineRun(job: job, files: files, observer: patient, films: films).run()
    } catch let error as ScanError {
      throw ScanProcessingError(code: error.code.word, detail: error.description + advice(on: error, job))
    } catch let error as CommandError {
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
