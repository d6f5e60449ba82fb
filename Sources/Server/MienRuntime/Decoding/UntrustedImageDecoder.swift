package import MienAuthenticity
internal import MienAvatars
package import MienCodecs
internal import MienImaging
internal import MienMessageService
internal import MienPlatform

/// Decodes images that unauthenticated clients upload to the message routes, within limits that protect the server.
struct UntrustedImageDecoder: MessageImageDecoding {
  /// Allows a photo or a screenshot of a large screen.
  private static let image = ImageLimits(pixels: 8_000_000)
  /// Allows GIFs that converters derive from this project's, but not videos.
  private static let gif = GIFLimits(bytes: 8 << 20, pixels: 1_000_000, images: 200, pixelsInAll: 20_000_000)
  /// Timeout for decoding the frames of a GIF.
  private static let timeout = Duration.seconds(2)

  /// Reads the message ID in a GIF or in an image of a supported format.
  func number(in bytes: [UInt8]) throws -> MessageIDDetector.Reading {
    try Self.mappingErrors {
      if bytes.starts(with: "GIF8".utf8) {
        let deadline = ContinuousClock.now + Self.timeout
        return try MessageIDDetector().read(gif: bytes, limits: Self.gif) { ContinuousClock.now > deadline }
      }
      var frame = Frame()
      var decoder = try ImageDecoder(limits: Self.image, formats: ImageFormat.all)
      try decoder.decode(bytes, into: &frame)
      return MessageIDDetector().read(frame)
    }
  }

  /// Decodes an avatar sheet of six sprites.
  func sheet(of png: [UInt8]) throws -> SpriteSheet {
    try Self.mappingErrors {
      var frame = Frame()
      try PNGDecoder(limits: ImageLimits(pixels: 768 * 512)).decode(png, into: &frame)
      return try SpriteSheet(expressions: frame, rest: nil)
    }
  }

  private static func mappingErrors<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as AvatarError {
      throw ServiceError(error.code == .tooLarge ? .imageTooLarge : .notAImage, error.reason)
    } catch let error as ImageCodecError {
      if error.code == .codecFailed { throw ServiceError(.unavailable, "The picture cannot be read now. Try again.") }
      throw ServiceError(error.code == .tooLarge ? .imageTooLarge : .notAImage, error.reason)
    }
  }
}

/// Decodes one image on two cores: one decodes while the other measures the finished tiles.
package enum ParallelImageDecoder {
  /// Returns the image, with the measurements of the tiles that were finished by the time it was decoded, and the depth
  /// map in its file.
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
      // A damaged depth map does not make the image unreadable.
      if let depth = try? EmbeddedImages.depth(in: bytes) {
        scene.depth = CaptureDepthMap(
          width: depth.width, height: depth.height, meters: depth.meters, isEmbedded: true)
      }
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
