import MienImaging

/// Measurements of the downscaled image as a whole.
struct SceneMeasures: Sendable {
  /// Values in the order of ``names``; the frame values are missing before ``complete(_:)``.
  private(set) var values: [Float]
  static let names: [String] =
    SpectrumStatistics.names.map { "coarse.\($0)" } + GrainStatistics.names.map { "coarse.\($0)" } + SceneLayout.names
    + FlatStatistics.names + BorderLight.names + ["frame.banding", "frame.bezel"]

  private let coarse: Plane

  /// Returns nil if a side of the image is below 64 pixels, or if the image is too elongated.
  ///
  /// - Parameter readings: earlier tile measurements; those of tiles of this image are reused, others are ignored.
  init?(_ image: SampledImage, readings: [TileMeasurement] = []) {
    guard let grid = TileGrid(width: image.width, height: image.height),
      min(image.coarse.width, image.coarse.height) >= grid.size
    else { return nil }
    coarse = image.coarse
    var spectrum = TileSpectrum(size: grid.size)
    var statistics = SpectrumStatistics(map: SpectrumMap.of(size: grid.size))
    var grain = GrainStatistics()
    var flat = FlatStatistics()
    let (x, y) = ((coarse.width - grid.size) / 2, (coarse.height - grid.size) / 2)
    spectrum.measure(coarse, x: x, y: y)
    statistics.measure(spectrum.logPower)
    let blocks = image.tiles.map { tile in
      readings.first { $0.isOf(tile) }?.flat ?? flat.measure(tile.luma)
    }
    values =
      statistics.values + grain.measure(coarse, x: x, y: y, size: grid.size) + SceneLayout.measure(coarse)
      + FlatStatistics.numbers(of: blocks) + BorderLight.measure(coarse)
  }

  /// Native values of two checks with their shipped settings.
  struct FrameSigns: Sendable {
    var banding: Double
    var bezel: Double
  }

  /// Returns the measurements with the frame values appended; values that are not given are measured here.
  func complete(_ signs: FrameSigns? = nil) -> SceneMeasures {
    var whole = self
    let found = signs ?? FrameSigns(banding: BandingCheck().native(coarse), bezel: BezelCheck().native(coarse))
    whole.values += [Float(found.banding), Float(found.bezel)]
    return whole
  }
}
