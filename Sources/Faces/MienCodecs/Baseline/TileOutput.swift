import MienImaging

/// Where the full-scale parts of a picture go while it is decoded.
struct TileOutput {
  /// A tile's planes, which begin at an origin.
  private struct Tile {
    let origin: SIMD2<Int>
    var plane: Plane
  }

  private var tiles: [Tile] = []
  /// By row of blocks: which tiles blocks of the row may lie in.
  private var tilesOfRow: [[Int]]

  /// - Parameters:
  ///   - sampling: what is taken of luma.
  ///   - across: luma pixels for one sample of this plane; `down` likewise.
  ///   - rows: rows of blocks of this plane.
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

  /// The plane of a tile, by the number of its corner in the sampling.
  func plane(_ number: Int) -> Plane { tiles[number].plane }

  /// Marks the columns of a row of blocks where blocks lie in a tile, at least in part.
  func mark(row: Int, in marks: inout MutableSpan<Bool>) {
    guard row < tilesOfRow.count else { return }
    for number in tilesOfRow[row] {
      let (start, width) = (tiles[number].origin.x, tiles[number].plane.width)
      for column in start / 8..<min((start + width + 7) / 8, marks.count) { marks[column] = true }
    }
  }

  /// Puts the 64 samples of a block into the tiles that it lies in.
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
