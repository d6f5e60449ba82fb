internal import MienImaging

/// Reduces an image to a small palette: boxes of colors are split where their colors differ most (median-cut style), then each palette
/// color moves to the mean of the colors nearest to it (k-means).
enum ColorQuantizer {
  /// Colors that share the upper five bits of each component, with their sums.
  private struct Cell {
    var count: Float = 0
    var sum = SIMD3<Float>(0, 0, 0)
    var mean: SIMD3<Float> { sum / count }
  }

  static func colors(of pixels: ContiguousArray<Pixel>, count: Int) -> [Pixel] {
    var cells = ContiguousArray(repeating: Cell(), count: 1 << 15)
    // Every second pixel is a sufficient sample.
    var counted = cells.mutableSpan
    let input = pixels.span
    for index in stride(from: 0, to: input.count, by: 2) {
      let pixel = input[index]
      let slot = Int(pixel.red >> 3) << 10 | Int(pixel.green >> 3) << 5 | Int(pixel.blue >> 3)
      counted[slot].count += 1
      counted[slot].sum += SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue))
    }
    var used = ContiguousArray(cells.filter { $0.count > 0 })
    // A plain background has no noise and needs only one color: square-root weights limit its influence.
    for index in used.indices {
      let weight = used[index].count.squareRoot() / used[index].count
      used[index].count *= weight
      used[index].sum *= weight
    }
    var boxes = [Box(0..<used.count, used)]
    while boxes.count < count {
      guard let widest = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }), boxes[widest].error > 0 else {
        break
      }
      let box = boxes[widest]
      let middle = box.split(&used)
      guard middle > box.range.lowerBound, middle < box.range.upperBound else {
        boxes[widest].error = 0
        continue
      }
      boxes[widest] = Box(box.range.lowerBound..<middle, used)
      boxes.append(Box(middle..<box.range.upperBound, used))
    }
    var centers = boxes.map(\.mean)
    for _ in 0..<2 { centers = moved(centers, used) }
    return centers.map { center in
      let rounded = pointwiseMin(
        pointwiseMax(center.rounded(.toNearestOrAwayFromZero), SIMD3(0, 0, 0)), SIMD3(repeating: 255))
      return Pixel(red: UInt8(rounded.x), green: UInt8(rounded.y), blue: UInt8(rounded.z))
    }
  }

  /// Range of cells that will share a palette color.
  private struct Box {
    let range: Range<Int>
    let mean: SIMD3<Float>
    var error: Float
    /// Component with the largest variance: 0, 1, or 2.
    private let axis: Int

    init(_ range: Range<Int>, _ cells: ContiguousArray<Cell>) {
      self.range = range
      var count: Float = 0
      var sum = SIMD3<Float>(0, 0, 0)
      var squares = SIMD3<Float>(0, 0, 0)
      let span = cells.span
      for index in range {
        let cell = span[index]
        count += cell.count
        sum += cell.sum
        squares += cell.mean * cell.sum
      }
      mean = sum / count
      let spread = squares - mean * sum
      error = range.count > 1 ? spread.sum() : 0
      axis = spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2
    }

    /// Moves the cells at or below the mean to the front and returns the index of the first remaining cell.
    func split(_ cells: inout ContiguousArray<Cell>) -> Int {
      let axis = axis
      let limit = mean[axis]
      return cells[range].partition { $0.mean[axis] > limit }
    }
  }

  private static func moved(_ centers: [SIMD3<Float>], _ cells: ContiguousArray<Cell>) -> [SIMD3<Float>] {
    let lookup = NearestColorIndex(
      centers.map {
        Pixel(red: UInt8(clamping: Int($0.x)), green: UInt8(clamping: Int($0.y)), blue: UInt8(clamping: Int($0.z)))
      })
    let nearest = lookup.indices(
      ContiguousArray(
        cells.map {
          let mean = $0.mean
          return Pixel(
            red: UInt8(clamping: Int(mean.x)), green: UInt8(clamping: Int(mean.y)), blue: UInt8(clamping: Int(mean.z)))
        }))
    var sums = [Cell](repeating: Cell(), count: centers.count)
    for (cell, index) in zip(cells, nearest) {
      sums[Int(index)].count += cell.count
      sums[Int(index)].sum += cell.sum
    }
    return zip(centers, sums).map { $1.count > 0 ? $1.mean : $0 }
  }
}

/// Distinct colors of an image, up to a limit, and the color index of each pixel.
struct ColorHistogram {
  /// Colors in order of first occurrence.
  let colors: [Pixel]
  /// Color index of each pixel; unspecified if the limit was exceeded.
  let indices: ContiguousArray<UInt8>
  /// `false` if the image has more colors than the limit.
  let isComplete: Bool

  /// Counts the colors of an image.
  ///
  /// - Parameter most: Maximum number of colors, at most 255.
  init(_ pixels: ContiguousArray<Pixel>, most: Int) {
    var colors: [Pixel] = []
    var indices = ContiguousArray<UInt8>(repeating: 0, count: pixels.count)
    var isComplete = true
    // Slot → color in the upper bytes, its index + 1 below; 0 if empty.
    var slots = ContiguousArray<UInt32>(repeating: 0, count: 1024)
    var seen = slots.mutableSpan
    var output = indices.mutableSpan
    let input = pixels.span
    var last: UInt32 = 0
    var index: UInt8 = 0
    walk: for place in 0..<input.count {
      let color = input[place].packed << 8
      // Runs of one color are long.
      if color != last || place == 0 {
        last = color
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while seen[slot] != 0, seen[slot] & 0xFFFF_FF00 != color { slot = (slot + 1) & 1023 }
        if seen[slot] == 0 {
          guard colors.count < most else {
            isComplete = false
            break walk
          }
          colors.append(Pixel(packed: color >> 8 | 0xFF00_0000))
          seen[slot] = color | UInt32(colors.count)
        }
        index = UInt8(truncatingIfNeeded: (seen[slot] & 0xFF) - 1)
      }
      output[place] = index
    }
    self.colors = colors
    self.indices = indices
    self.isComplete = isComplete
  }
}
