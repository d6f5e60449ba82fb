/// Least-squares fit of second-degree surfaces to square blocks of one size.
struct QuadraticSurfaceFit {
  private let side: Int
  /// Positions along a side, −1…1.
  private let places: [Float]
  /// Squared positions minus their mean, so that all six basis functions are orthogonal.
  private let squares: [Float]
  private let placePower: Float
  private let squarePower: Float
  /// Sums down the columns, weighted by 1, position and square.
  private var plain: [Float]
  private var sloped: [Float]
  private var bent: [Float]

  /// - Precondition: `side` is at least 3.
  init(side: Int) {
    precondition(side > 2, "a surface of second degree needs three samples")
    self.side = side
    let places = (0..<side).map { Float($0) / Float(side - 1) * 2 - 1 }
    self.places = places
    placePower = places.reduce(0) { $0 + $1 * $1 }
    let mean = placePower / Float(side)
    squares = places.map { $0 * $0 - mean }
    squarePower = squares.reduce(0) { $0 + $1 * $1 }
    plain = [Float](repeating: 0, count: side)
    sloped = plain
    bent = plain
  }

  /// Subtracts the least-squares surface from the samples of a block and returns their mean.
  mutating func take(from block: inout [Float]) -> Float {
    for x in 0..<side { (plain[x], sloped[x], bent[x]) = (0, 0, 0) }
    for y in 0..<side {
      Self.add(block.span.extracting(y * side..<(y + 1) * side), places[y], squares[y], &plain, &sloped, &bent)
    }
    var (mean, across, down, bendAcross, bendDown, twist): (Float, Float, Float, Float, Float, Float) = (
      0, 0, 0, 0, 0, 0
    )
    for x in 0..<side {
      mean += plain[x]
      across += plain[x] * places[x]
      bendAcross += plain[x] * squares[x]
      down += sloped[x]
      twist += sloped[x] * places[x]
      bendDown += bent[x]
    }
    let count = Float(side)
    mean /= count * count
    across /= count * placePower
    down /= count * placePower
    bendAcross /= count * squarePower
    bendDown /= count * squarePower
    twist /= placePower * placePower
    let (places, squares) = (places.span, squares.span)
    var samples = block.mutableSpan
    for y in 0..<side {
      let level = mean + down * places[y] + bendDown * squares[y]
      let slope = across + twist * places[y]
      var line = samples._mutatingExtracting(y * side..<(y + 1) * side)
      for x in 0..<side { line[x] -= level + slope * places[x] + bendAcross * squares[x] }
    }
    return mean
  }

  /// Adds a row to the sums down the columns: unweighted, times its position, and times the position's square.
  @inline(__always)
  private static func add(
    _ line: Span<Float>, _ place: Float, _ square: Float, _ plain: inout [Float], _ sloped: inout [Float],
    _ bent: inout [Float]
  ) {
    let side = plain.count
    let line = line.extracting(0..<side)
    var plain = plain.mutableSpan
    var sloped = sloped.mutableSpan
    var bent = bent.mutableSpan
    for x in 0..<side {
      plain[x] += line[x]
      sloped[x] += line[x] * place
      bent[x] += line[x] * square
    }
  }
}
