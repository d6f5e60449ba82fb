package import MienAuthenticity
package import MienCodecs
internal import MienImaging

/// Decodes one image on two cores: one decodes while the other measures the finished tiles.
package enum ParallelImageDecoder {
  /// Returns the image, with the measurements of the tiles that were finished by the time it was decoded.
  ///
  /// - Throws: ``ImageCodecError`` if it cannot be decoded.
  @concurrent
  package static func read(_ bytes: [UInt8], limits: ImageLimits) async throws -> CaptureInput {
    // The stream buffers at most as many elements as an image has tiles.
    let (tiles, feed) = AsyncStream.makeStream(of: YCbCrImage.self)
    return try await withThrowingTaskGroup(of: [TileMeasurement].self) { group in
      group.addTask { await measure(tiles) }
      var decoder = try YCbCrDecoder(limits: limits)
      var scene = CaptureInput(
        image: try decoder.sample(bytes, SamplingPlan.forChecks) { feed.yield($0) })
      // Tiles not yet measured are left to the check itself, which runs in parallel with others.
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
      // A stream delivers its buffered elements even if its consumer is canceled.
      guard !Task.isCancelled else { break }
      if let reading = meter.read(tile) { readings.append(reading) }
    }
    return readings
  }
}
