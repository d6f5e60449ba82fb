import MienAuthenticity
import MienCodecs
import MienImaging

/// A photograph read and judged as the server does it.
enum TwoCores {
  /// One core reads, another measures the tiles that are done; then the jobs run side by side.
  @concurrent
  static func analyse(_ bytes: [UInt8]) async throws -> DetectionResults {
    let scene = try await read(bytes)
    let analyser = SceneAnalyser()
    return await withTaskGroup(of: SceneAnalyser.Part.self) { group in
      for job in analyser.jobs(for: scene) { group.addTask { job.run() } }
      var parts: [SceneAnalyser.Part] = []
      for await part in group { parts.append(part) }
      return analyser.assemble(parts)
    }
  }

  /// As `ScenePicture` of the program.
  @concurrent
  private static func read(_ bytes: [UInt8]) async throws -> SceneCapture {
    let (tiles, feed) = AsyncStream.makeStream(of: PlanarPicture.self)
    return try await withThrowingTaskGroup(of: [TileReading].self) { group in
      group.addTask {
        var meter = TileMeter()
        var readings: [TileReading] = []
        for await tile in tiles {
          guard !Task.isCancelled else { break }
          readings += meter.read(tile).map { [$0] } ?? []
        }
        return readings
      }
      var decoder = try PlanarDecoder()
      var scene = SceneCapture(
        picture: try decoder.sample(bytes, PictureSampling.forChecks) { feed.yield($0) })
      group.cancelAll()
      for try await readings in group { scene.tiles += readings }
      return scene
    }
  }
}
