import MienAuthenticity
import MienCodecs
import MienImaging

/// Reads one picture on two cores: while one still reads codes, the other measures the tiles that are done.
enum ParallelImageDecoder {
  /// The picture, and those of its tiles that were measured by the time it was read.
  ///
  /// - Throws: ``ImageCodecError`` when it cannot be read.
  @concurrent
  static func read(_ bytes: [UInt8], limits: ImageLimits) async throws -> CaptureInput {
    // At most as many as a picture has tiles.
    let (tiles, feed) = AsyncStream.makeStream(of: YCbCrImage.self)
    return try await withThrowingTaskGroup(of: [TileMeasurement].self) { group in
      group.addTask { await measure(tiles) }
      var decoder = try YCbCrDecoder(limits: limits)
      var scene = CaptureInput(
        image: try decoder.sample(bytes, SamplingPlan.forChecks) { feed.yield($0) })
      // What nobody has begun to measure by now is left to the check itself, which runs beside others.
      group.cancelAll()
      for try await readings in group { scene.tiles += readings }
      return scene
    }
  }

  @concurrent
  private static func measure(_ tiles: AsyncStream<YCbCrImage>) async -> [TileMeasurement] {
    var meter = StreamingTileMeasurer()
    var readings: [TileMeasurement] = []
    for await tile in tiles {
      // A stream gives out what it has even when its reader is cancelled.
      guard !Task.isCancelled else { break }
      if let reading = meter.read(tile) { readings.append(reading) }
    }
    return readings
  }
}
