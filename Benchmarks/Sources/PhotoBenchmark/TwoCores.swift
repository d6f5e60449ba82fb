import MienAuthenticity
import MienCodecs
import MienImaging

/// Decodes and analyzes a photo as the server does.
enum TwoCores {
  /// Decodes on one core and measures finished tiles on another; then runs the jobs in parallel.
  @concurrent
  static func analyze(_ bytes: [UInt8]) async throws -> DetectionResults {
    let scene = try await read(bytes)
    let analyzer = CaptureAnalyzer()
    return await withTaskGroup(of: CaptureAnalyzer.Part.self) { group in
      for job in analyzer.jobs(for: scene) { group.addTask { job.run() } }
      var parts: [CaptureAnalyzer.Part] = []
      for await part in group { parts.append(part) }
      return analyzer.assemble(parts)
    }
  }

  /// Decodes like `ParallelImageDecoder` of the server.
  @concurrent
  private static func read(_ bytes: [UInt8]) async throws -> CaptureInput {
    let (tiles, feed) = AsyncStream.makeStream(of: YCbCrImage.self)
    return try await withThrowingTaskGroup(of: [TileMeasurement].self) { group in
      group.addTask {
        var meter = StreamingTileMeasurer()
        var readings: [TileMeasurement] = []
        for await tile in tiles {
          guard !Task.isCancelled else { break }
          readings += meter.read(tile).map { [$0] } ?? []
        }
        return readings
      }
      var decoder = try YCbCrDecoder()
      var scene = CaptureInput(
        image: try decoder.sample(bytes, SamplingPlan.forChecks) { feed.yield($0) })
      group.cancelAll()
      for try await readings in group { scene.tiles += readings }
      return scene
    }
  }
}
