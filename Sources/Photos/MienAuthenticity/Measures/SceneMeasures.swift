import MienImaging

/// What is measured in a picture as a whole, made small.
struct SceneMeasures: Sendable {
  /// By ``names``; before ``complete(_:)`` the frame's are not among them.
  private(set) var values: [Float]
  static let names: [String] =
    SpectrumStatistics.names.map { "coarse.\($0)" } + GrainStatistics.names.map { "coarse.\($0)" } + SceneLayout.names
    + FlatStatistics.names + BorderLight.names + ["frame.banding", "frame.bezel"]

  private let coarse: Plane

  /// Nil when a side of the picture is below 64 pixels, or it is too long for its breadth.
  ///
  /// - Parameter readings: tiles of the picture that were measured before, which is not done again; others are not used.
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

  /// The native measures of two checks as they are shipped.
  struct FrameSigns: Sendable {
    var banding: Double
    var bezel: Double
  }

  /// Adds the signs of a frame; what nobody has measured yet is measured here.
  func complete(_ signs: FrameSigns? = nil) -> SceneMeasures {
    var whole = self
    let found = signs ?? FrameSigns(banding: BandingCheck().native(coarse), bezel: BezelCheck().native(coarse))
    whole.values += [Float(found.banding), Float(found.bezel)]
    return whole
  }
}
