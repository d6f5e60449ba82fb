import MienImaging

/// What is measured in a picture as a whole, made small.
struct SceneMeasures: Sendable {
  /// By ``names``.
  let values: [Float]
  static let names: [String] =
    SpectrumStatistics.names.map { "coarse.\($0)" } + GrainStatistics.names.map { "coarse.\($0)" } + SceneLayout.names
    + ["frame.banding", "frame.bezel"]

  /// Nil when a side of the picture is below 64 pixels.
  init?(_ luma: Plane) {
    guard let grid = TileGrid(width: luma.width, height: luma.height) else { return nil }
    let coarse = CoarsePlane.make(luma, side: grid.size)
    var spectrum = TileSpectrum(size: grid.size)
    var statistics = SpectrumStatistics(map: SpectrumMap(size: grid.size))
    var grain = GrainStatistics()
    let (x, y) = ((coarse.width - grid.size) / 2, (coarse.height - grid.size) / 2)
    spectrum.measure(coarse, x: x, y: y)
    statistics.measure(spectrum.logPower)
    values =
      statistics.values + grain.measure(coarse, x: x, y: y, size: grid.size) + SceneLayout.measure(coarse)
      + [Float(BandingCheck().native(coarse)), Float(BezelCheck().native(coarse))]
  }
}
