import MienImaging

/// Spectrum and statistics of tiles of one size.
struct SpectrumChannel {
  var spectrum: TileSpectrum
  var statistics: SpectrumStatistics
  let size: Int

  init(size: Int) {
    self.size = size
    spectrum = TileSpectrum(size: size)
    statistics = SpectrumStatistics(map: SpectrumMap.of(size: size))
  }

  /// Highest peak of any band.
  var highest: Float { statistics.peaks.map(\.height).max() ?? -.infinity }

  /// Returns the logarithmic spectrum of a tile.
  mutating func measure(_ tile: Plane) -> ContiguousArray<Float> {
    spectrum.measure(tile, x: 0, y: 0)
    return spectrum.logPower
  }

  /// Converts peaks to cycles per pixel, times `scale`.
  func found(_ peaks: [SpectrumStatistics.Peak], scale: Float, isColor: Bool) -> [TileMeasures.FoundPeak] {
    peaks.map { peak in
      let (row, column) = (peak.bin / (size / 2), peak.bin % (size / 2))
      let signed = row < size / 2 ? row : row - size
      return TileMeasures.FoundPeak(
        x: Float(column) / Float(size) * scale, y: Float(signed) / Float(size) * scale, height: peak.height,
        isColor: isColor)
    }
  }
}
