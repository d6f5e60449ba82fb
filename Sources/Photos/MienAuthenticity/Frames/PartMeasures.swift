import MienImaging

/// Measurements of one downscaled part of a frame.
struct PartMeasures {
  static let names: [String] =
    SceneLayout.names + GrainStatistics.names + SpectrumStatistics.names
    + ["banding", "bezel.best", "bezel"] + ColorCells.names

  private static let spectrumSize = 128
  private var grain = GrainStatistics()
  private var spectrum = TileSpectrum(size: PartMeasures.spectrumSize)
  private var statistics = SpectrumStatistics(map: SpectrumMap.of(size: PartMeasures.spectrumSize))

  /// Measures a plane whose shorter side has at least 64 samples.
  mutating func measure(_ plane: Plane, _ colors: ColorCells) -> [Float] {
    let side = min(plane.width, plane.height)
    var values = SceneLayout.measure(plane)
    values += grain.measure(plane, x: (plane.width - side) / 2, y: (plane.height - side) / 2, size: side)
    if side >= Self.spectrumSize {
      spectrum.measure(
        plane, x: (plane.width - Self.spectrumSize) / 2, y: (plane.height - Self.spectrumSize) / 2)
      statistics.measure(spectrum.logPower)
      values += statistics.values
    } else {
      values += [Float](repeating: 0, count: SpectrumStatistics.names.count)
    }
    let lines = BezelCheck().coverage(plane)
    return values + [Float(BandingCheck().native(plane)), lines.first, lines.second] + colors.values
  }
}
