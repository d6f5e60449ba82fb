import MienImaging

/// What is measured in the full-scale tiles of a picture.
struct TileMeasures: Sendable {
  /// How much is measured.
  enum Extent {
    /// What the checks read: a fraction of the work.
    case checks
    /// Everything that training chooses from.
    case all

    /// What each of ``TileMeasures/values`` is. Without colour the colour's values are 0.
    var names: [String] { self == .all ? TileMeasures.names : TileMeasures.checkNames }
  }

  /// By the extent's names.
  let values: [Float]
  let grid: TileGrid
  /// The greatest height of a peak in luma by tile, in the order of the grid.
  let heights: [Float]
  /// The highest peaks of the tiles' mean spectra, in cycles per pixel of the full picture.
  let peaks: [FoundPeak]
  /// The highest separate peaks of the mean luma spectrum, in cycles per pixel; at most 24.
  let distinct: [FoundPeak]
  /// The same of the mean spectra of both colour differences.
  let distinctColor: [FoundPeak]
  let hasColor: Bool
  /// The tiles' mean luma spectrum, as ``TileSpectrum`` lays it out.
  let meanSpectrum: ContiguousArray<Float>

  struct FoundPeak: Sendable {
    var x: Float
    var y: Float
    var height: Float
    var isColor: Bool
  }

  private static let channels = ["y", "b", "r"]
  private static let tileNames: [String] =
    channels.flatMap { channel in SpectrumStatistics.names.map { "\(channel).\($0)" } }
    + GrainStatistics.names.map { "y.\($0)" }
  /// Statistics from here on are taken of mean spectra too; ring levels are the same there.
  private static let firstPeakName = 8

  private static let wholeNames = channels.flatMap { channel in
    SpectrumStatistics.names.dropFirst(firstPeakName).map { "\(channel).\($0).whole" }
  }
  private static func summaryNames(_ names: [String]) -> [String] {
    names.flatMap { name in ["mean", "most", "least", "spread"].map { "\(name).\($0)" } }
  }

  private static let names = summaryNames(tileNames) + wholeNames
  private static let checkNames =
    summaryNames(SpectrumStatistics.names[SpectrumStatistics.peakNames].map { "y.\($0)" }) + wholeNames

  /// Where a measure that the checks read stands among ``values``.
  static func index(of name: String) -> Int {
    guard let index = checkNames.firstIndex(of: name) else { preconditionFailure("no check's measure has this name") }
    return index
  }

  /// Measures a picture; nil when a side is below 64 pixels, or it is too long for its breadth.
  ///
  /// - Parameter readings: tiles of the picture that were measured before, which is not done again; others are not used.
  init?(_ image: SampledImage, _ extent: Extent = .checks, readings: [TileMeasurement] = []) {
    guard let grid = TileGrid(width: image.width, height: image.height), image.sampling.tileSize == grid.size,
      image.tiles.count == grid.corners.count
    else { return nil }
    self.grid = grid
    hasColor = image.hasColor
    var tools = TileMeasurer(size: grid.size)
    var (rows, heights): ([[Float]], [Float]) = ([], [])
    var sums = [ContiguousArray<Float>](repeating: [], count: 3)
    for tile in image.tiles {
      let early = extent == .checks ? readings.first { $0.isOf(tile) } : nil
      // In the order of tiles, whoever measured them: sums of floating-point numbers depend on it.
      let reading = early ?? tools.read(tile, extent)
      for (channel, spectrum) in reading.spectra.enumerated() { TileMeasurer.add(spectrum, to: &sums[channel]) }
      heights.append(reading.height)
      rows.append(reading.values)
    }
    self.heights = heights
    var values = Self.summary(of: rows)
    var peaks: [FoundPeak] = []
    var distinct: [FoundPeak] = []
    var distinctColor: [FoundPeak] = []
    for channel in 0..<3 {
      guard !sums[channel].isEmpty else {
        values += TileMeasurer.none.dropFirst(Self.firstPeakName)
        continue
      }
      let count = Float(rows.count)
      for index in sums[channel].indices { sums[channel][index] /= count }
      let scale: Float = channel == 0 ? 1 : 0.5
      if channel == 0 {
        tools.luma.statistics.measure(sums[channel])
        values += tools.luma.statistics.values.dropFirst(Self.firstPeakName)
        peaks += tools.luma.found(tools.luma.statistics.peaks, scale: scale, isColor: false)
        distinct = tools.luma.found(tools.luma.statistics.distinct, scale: scale, isColor: false)
      } else {
        tools.color.statistics.measure(sums[channel])
        values += tools.color.statistics.values.dropFirst(Self.firstPeakName)
        peaks += tools.color.found(tools.color.statistics.peaks, scale: scale, isColor: true)
        distinctColor += tools.color.found(tools.color.statistics.distinct, scale: scale, isColor: true)
      }
    }
    self.distinct = distinct
    self.distinctColor = distinctColor
    meanSpectrum = sums[0]
    self.peaks = peaks.sorted { $0.height > $1.height }
    self.values = values
  }

  /// Mean, greatest, least and standard deviation over the tiles, number by number.
  private static func summary(of rows: [[Float]]) -> [Float] {
    let count = Float(rows.count)
    return rows[0].indices.flatMap { index in
      var (sum, most, least) = (Float(0), -Float.infinity, Float.infinity)
      for row in rows {
        sum += row[index]
        most = max(most, row[index])
        least = min(least, row[index])
      }
      let mean = sum / count
      let variance = rows.reduce(0) { $0 + ($1[index] - mean) * ($1[index] - mean) } / count
      return [mean, most, least, variance.squareRoot()]
    }
  }
}
