import MienImaging

/// The full-scale parts of an image while it is being decoded.
struct TileOutput {
  /// The plane of a tile and its position.
  private struct Tile {
    let origin: SIMD2<Int>
    var plane: Plane
  }

  private var tiles: [Tile] = []
  /// By row of blocks: the tiles that blocks of the row may overlap.
  private var tilesOfRow: [[Int]]

  /// - Parameters:
  ///   - sampling: the sampling plan, in luma pixels.
  ///   - across: luma pixels per sample of this plane; `down` likewise.
  ///   - rows: number of rows of blocks in this plane.
  init(_ sampling: SamplingPlan, across: Int, down: Int, rows: Int) {
    tilesOfRow = Array(repeating: [], count: rows)
    let (width, height) = (sampling.tileSize / across, sampling.tileSize / down)
    for (number, corner) in sampling.corners.enumerated() {
      var plane = Plane()
      plane.reshape(width: width, height: height)
      let origin = SIMD2(corner.x / across, corner.y / down)
      tiles.append(Tile(origin: origin, plane: plane))
      for row in origin.y / 8...(origin.y + height - 1) / 8 where row < rows { tilesOfRow[row].append(number) }
    }
  }

  /// Returns the plane of the tile with this index in the sampling's corners.
  func plane(_ number: Int) -> Plane { tiles[number].plane }

  /// Marks the columns of a row of blocks whose blocks overlap a tile.
  func mark(row: Int, in marks: inout MutableSpan<Bool>) {
    guard row < tilesOfRow.count else { return }
    for number in tilesOfRow[row] {
      let (start, width) = (tiles[number].origin.x, tiles[number].plane.width)
      for column in start / 8..<min((start + width + 7) / 8, marks.count) { marks[column] = true }
    }
  }

  /// Copies the 64 samples of a block into the tiles that it overlaps.
  mutating func put(_ samples: Span<UInt8>, column: Int, row: Int) {
    for number in tilesOfRow[row] {
      let (origin, width, height) = (tiles[number].origin, tiles[number].plane.width, tiles[number].plane.height)
      let (left, top) = (8 * column - origin.x, 8 * row - origin.y)
      guard left > -8, left < width, top > -8, top < height else { continue }
      let (columns, rows) = (max(0, -left)..<min(8, width - left), max(0, -top)..<min(8, height - top))
      tiles[number].plane.writeSamples { target in
        for y in rows {
          for x in columns { target[(top + y) * width + left + x] = samples[y * 8 + x] }
        }
      }
    }
  }
}
