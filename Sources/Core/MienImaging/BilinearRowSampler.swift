/// Samples one row of a tensor bilinearly from the four neighbors of each position in the image.
///
/// All neighbors are fetched first, one kind after the other; a plain loop over spans of equal length then interpolates
/// them, which the compiler vectorizes. (0.4 ms for 256 × 256, compared with 0.8 ms for fetching and interpolating
/// column by column.)
struct BilinearRowSampler {
  private var places: ContiguousArray<Int>
  private var topLeft: ContiguousArray<UInt32>
  private var topRight: ContiguousArray<UInt32>
  private var bottomLeft: ContiguousArray<UInt32>
  private var bottomRight: ContiguousArray<UInt32>
  /// Distances of the positions to the right of and below the upper left neighbor, in fixed point.
  private var right: ContiguousArray<Int32>
  private var below: ContiguousArray<Int32>

  init(columns: Int) {
    places = ContiguousArray(repeating: 0, count: columns)
    topLeft = ContiguousArray(repeating: 0, count: columns)
    topRight = topLeft
    bottomLeft = topLeft
    bottomRight = topLeft
    right = ContiguousArray(repeating: 0, count: columns)
    below = right
  }

  /// Fetches the neighbors of columns that all lie in the image; they are stored from the start of the row.
  mutating func fetch(
    _ pixels: borrowing Span<Pixel>, width: Int, _ start: FixedPoint, _ grid: SamplingGrid, columns: Range<Int>
  ) {
    let count = columns.count
    find(start, grid, columns: columns, width: width)
    let places = places  // a second reference, so that the rows can be written meanwhile
    Self.gather(pixels, places.span.extracting(first: count), 0, into: &topLeft)
    Self.gather(pixels, places.span.extracting(first: count), 1, into: &topRight)
    Self.gather(pixels, places.span.extracting(first: count), width, into: &bottomLeft)
    Self.gather(pixels, places.span.extracting(first: count), width + 1, into: &bottomRight)
  }

  private mutating func find(_ start: FixedPoint, _ grid: SamplingGrid, columns: Range<Int>, width: Int) {
    var x = start.x + grid.column.x * columns.lowerBound
    var y = start.y + grid.column.y * columns.lowerBound
    for index in 0..<columns.count {
      places[index] = FixedPoint.whole(y) &* width &+ FixedPoint.whole(x)
      right[index] = FixedPoint.rest(x)
      below[index] = FixedPoint.rest(y)
      x &+= grid.column.x
      y &+= grid.column.y
    }
  }

  @inline(__always)
  private static func gather(
    _ pixels: borrowing Span<Pixel>, _ places: borrowing Span<Int>, _ offset: Int,
    into row: inout ContiguousArray<UInt32>
  ) {
    var row = row.mutableSpan
    for index in places.indices { row[index] = pixels[places[index] &+ offset].packed }
  }

  /// Fetches the neighbors of any columns; `border` determines the values outside the image.
  mutating func fetchClamped(
    _ pixels: borrowing Span<Pixel>, width: Int, height: Int, _ border: EdgeMode, _ start: FixedPoint,
    _ grid: SamplingGrid,
    columns: Range<Int>
  ) {
    var x = start.x + grid.column.x * columns.lowerBound
    var y = start.y + grid.column.y * columns.lowerBound
    for index in 0..<columns.count {
      let (left, top) = (FixedPoint.whole(x), FixedPoint.whole(y))
      let (x0, x1) = (min(max(left, 0), width - 1), min(max(left + 1, 0), width - 1))
      let (y0, y1) = (min(max(top, 0), height - 1) * width, min(max(top + 1, 0), height - 1) * width)
      topLeft[index] = pixels[y0 + x0].packed
      topRight[index] = pixels[y0 + x1].packed
      bottomLeft[index] = pixels[y1 + x0].packed
      bottomRight[index] = pixels[y1 + x1].packed
      if border == .zero {
        // A clamped coordinate lies outside the image.
        let (isLeft, isRight) = (x0 == left, x1 == left + 1)
        let (isTop, isBottom) = (y0 == top * width, y1 == (top + 1) * width)
        if !isTop || !isLeft { topLeft[index] = 0 }
        if !isTop || !isRight { topRight[index] = 0 }
        if !isBottom || !isLeft { bottomLeft[index] = 0 }
        if !isBottom || !isRight { bottomRight[index] = 0 }
      }
      right[index] = FixedPoint.rest(x)
      below[index] = FixedPoint.rest(y)
      x &+= grid.column.x
      y &+= grid.column.y
    }
  }

  /// Interpolates one channel (0 red, 1 green, 2 blue) of the first `output.count` columns fetched.
  func mix(channel: Int, _ scaling: PixelScaling, into output: inout MutableSpan<Float>) {
    let count = output.count
    let topLeft = topLeft.span.extracting(first: count)
    let topRight = topRight.span.extracting(first: count)
    let bottomLeft = bottomLeft.span.extracting(first: count)
    let bottomRight = bottomRight.span.extracting(first: count)
    let right = right.span.extracting(first: count)
    let below = below.span.extracting(first: count)
    let shift = UInt32(channel * 8)
    let (scale, bias) = (scaling.scale, scaling.bias)
    for index in 0..<count {
      let u = Float(right[index]) * FixedPoint.toFraction
      let v = Float(below[index]) * FixedPoint.toFraction
      let a = Self.value(topLeft[index], shift)
      let b = Self.value(topRight[index], shift)
      let c = Self.value(bottomLeft[index], shift)
      let d = Self.value(bottomRight[index], shift)
      let top = a + (b - a) * u
      let bottom = c + (d - c) * u
      output[index] = (top + (bottom - top) * v) * scale + bias
    }
  }

  @inline(__always)
  private static func value(_ pixel: UInt32, _ shift: UInt32) -> Float {
    Float(Int32(truncatingIfNeeded: (pixel &>> shift) & 255))
  }
}

/// The values that a sampler uses outside the image.
public enum EdgeMode: Hashable, Sendable {
  /// The nearest pixel of the image's edge.
  case replicate
  /// Black.
  case zero
}
