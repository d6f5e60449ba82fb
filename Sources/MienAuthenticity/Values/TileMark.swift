/// A tile that the moire check measured, for drawing.
public struct TileMark: Hashable, Sendable {
  /// The top left corner in pixels of the picture, lying as its file has it.
  public let x: Int
  public let y: Int
  /// The side in pixels.
  public let size: Int
  /// How far the highest peak of the tile's spectra stands over its surroundings, in natural-log units of power.
  public let height: Double

  public init(x: Int, y: Int, size: Int, height: Double) {
    self.x = x
    self.y = y
    self.size = size
    self.height = height
  }
}

extension SceneAnalyser.Part {
  /// The tiles that this job measured; none for jobs that measure none.
  public var tileMarks: [TileMark] {
    guard let tiles else { return [] }
    return zip(tiles.grid.corners, tiles.tiles).map { corner, tile in
      TileMark(x: corner.x, y: corner.y, size: tiles.grid.size, height: Double(max(tile.luma, tile.colour)))
    }
  }
}
