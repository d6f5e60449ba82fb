import MienAuthenticity
import MienCodecs
import MienImaging

/// Reads one picture on two cores: while one still reads codes, the other measures the tiles that are done.
enum ScenePicture {
  /// The picture, and those of its tiles that were measured by the time it was read.
  ///
  /// - Throws: ``PictureError`` when it cannot be read.
  @concurrent
  static func read(_ bytes: [UInt8], limits: PictureLimits) async throws -> SceneCapture {
    // At most as many as a picture has tiles.
    let (tiles, feed) = AsyncStream.makeStream(of: PlanarPicture.self)
    return try await withThrowingTaskGroup(of: [TileReading].self) { group in
      group.addTask { await measure(tiles) }
      var decoder = try PlanarDecoder(limits: limits)
      var scene = SceneCapture(
        picture: try decoder.sample(bytes, PictureSampling.forChecks) { feed.yield($0) })
      // What nobody has begun to measure by now is left to the check itself, which runs beside others.
      group.cancelAll()
      for try await readings in group { scene.tiles += readings }
      return scene
    }
  }

  @concurrent
  private static func measure(_ tiles: AsyncStream<PlanarPicture>) async -> [TileReading] {
    var meter = TileMeter()
    var readings: [TileReading] = []
    for await tile in tiles {
      // A stream gives out what it has even when its reader is cancelled.
      guard !Task.isCancelled else { break }
      if let reading = meter.read(tile) { readings.append(reading) }
    }
    return readings
  }
}
