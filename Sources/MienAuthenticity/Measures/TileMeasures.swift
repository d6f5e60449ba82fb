import MienImaging

/// What is measured in the full-scale tiles of a picture.
struct TileMeasures: Sendable {
  /// By ``names``.
  let values: [Float]
  let grid: TileGrid
  /// By tile, in the order of the grid: the highest peak of luma and colours and the line statistics that go with it.
  let tiles: [Tile]
  /// The highest peaks of the tiles' mean spectra, in cycles per pixel of the full picture.
  let peaks: [FoundPeak]
  /// The highest separate peaks of the mean luma spectrum, in cycles per pixel; at most 24.
  let distinct: [FoundPeak]
  let hasColour: Bool
  /// The tiles' mean luma spectrum, as ``TileSpectrum`` lays it out.
  let meanSpectrum: ContiguousArray<Float>

  struct Tile: Sendable {
    /// The greatest height of a peak in luma, and in the colour differences (0 without colour).
    var luma: Float
    var colour: Float
    var mean: Float
  }

  struct FoundPeak: Sendable {
    var x: Float
    var y: Float
    var height: Float
    var isColour: Bool
  }

  private static let channels = ["y", "b", "r"]
  private static let tileNames: [String] =
    channels.flatMap { channel in SpectrumStatistics.names.map { "\(channel).\($0)" } }
    + GrainStatistics.names.map { "y.\($0)" }
  /// Statistics from here on are taken of mean spectra too; ring levels are the same there.
  private static let firstPeakName = 8

  /// What each of ``values`` is. Without colour the colour's values are 0.
  static let names: [String] =
    tileNames.flatMap { name in ["mean", "most", "least", "spread"].map { "\(name).\($0)" } }
    + channels.flatMap { channel in SpectrumStatistics.names.dropFirst(firstPeakName).map { "\(channel).\($0).whole" } }

  /// Where a measure stands among ``values``.
  static func index(of name: String) -> Int {
    guard let index = names.firstIndex(of: name) else { preconditionFailure("no measure has this name") }
    return index
  }

  /// Measures a picture; nil when a side is below 64 pixels.
  init?(_ picture: PlanarPicture) {
    guard let grid = TileGrid(width: picture.width, height: picture.height) else { return nil }
    self.grid = grid
    hasColour = picture.hasColour
    var luma = Channel(size: grid.size)
    var colour = Channel(size: grid.size / 2)
    var grain = GrainStatistics()
    var (rows, tiles): ([[Float]], [Tile]) = ([], [])
    var sums = [ContiguousArray<Float>](repeating: [], count: 3)
    let none = [Float](repeating: 0, count: SpectrumStatistics.names.count)
    for corner in grid.corners {
      luma.measure(picture.luma, x: corner.x, y: corner.y, addingTo: &sums[0])
      var row = luma.statistics.values
      var tile = Tile(luma: luma.highest, colour: 0, mean: luma.spectrum.mean)
      for (index, plane) in [picture.blue, picture.red].enumerated() {
        guard hasColour, let half = HalfTile.make(plane, of: picture, corner: corner, size: grid.size) else {
          row += none
          continue
        }
        colour.measure(half, x: 0, y: 0, addingTo: &sums[index + 1])
        row += colour.statistics.values
        tile.colour = max(tile.colour, colour.highest)
      }
      row += grain.measure(picture.luma, x: corner.x, y: corner.y, size: grid.size)
      rows.append(row)
      tiles.append(tile)
    }
    self.tiles = tiles
    var values = Self.summary(of: rows)
    var peaks: [FoundPeak] = []
    var distinct: [FoundPeak] = []
    for channel in 0..<3 {
      guard !sums[channel].isEmpty else {
        values += none.dropFirst(Self.firstPeakName)
        continue
      }
      let count = Float(rows.count)
      for index in sums[channel].indices { sums[channel][index] /= count }
      let scale: Float = channel == 0 ? 1 : 0.5
      if channel == 0 {
        luma.describe(sums[channel])
        values += luma.statistics.values.dropFirst(Self.firstPeakName)
        peaks += luma.found(luma.statistics.peaks, scale: scale, isColour: false)
        distinct = luma.found(luma.statistics.distinct, scale: scale, isColour: false)
      } else {
        colour.describe(sums[channel])
        values += colour.statistics.values.dropFirst(Self.firstPeakName)
        peaks += colour.found(colour.statistics.peaks, scale: scale, isColour: true)
      }
    }
    self.distinct = distinct
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

/// Spectrum and statistics of tiles of one size.
private struct Channel {
  var spectrum: TileSpectrum
  var statistics: SpectrumStatistics
  let size: Int

  init(size: Int) {
    self.size = size
    spectrum = TileSpectrum(size: size)
    statistics = SpectrumStatistics(map: SpectrumMap(size: size))
  }

  /// The highest peak of any band.
  var highest: Float { statistics.peaks.map(\.height).max() ?? -.infinity }

  mutating func measure(_ plane: Plane, x: Int, y: Int, addingTo sum: inout ContiguousArray<Float>) {
    spectrum.measure(plane, x: x, y: y)
    statistics.measure(spectrum.logPower)
    if sum.isEmpty {
      sum = spectrum.logPower
    } else {
      for index in sum.indices { sum[index] += spectrum.logPower[index] }
    }
  }

  mutating func describe(_ logPower: ContiguousArray<Float>) { statistics.measure(logPower) }

  /// Peaks in cycles per pixel times `scale`.
  func found(_ peaks: [SpectrumStatistics.Peak], scale: Float, isColour: Bool) -> [TileMeasures.FoundPeak] {
    peaks.map { peak in
      let (row, column) = (peak.bin / (size / 2), peak.bin % (size / 2))
      let signed = row < size / 2 ? row : row - size
      return TileMeasures.FoundPeak(
        x: Float(column) / Float(size) * scale, y: Float(signed) / Float(size) * scale, height: peak.height,
        isColour: isColour)
    }
  }
}
