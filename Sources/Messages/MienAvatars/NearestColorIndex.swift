internal import MienImaging

/// Nearest-color search among up to 256 colors.
struct NearestColorIndex {
  /// 16 colors c as the terms of 16 · (|c|² − 2 p·c) + n, which is smallest where the distance to p is; n, 0…15, is the index of this
  /// group. All values are integers below 2²⁴, which `Float` represents exactly and multiplies faster.
  private struct Lanes {
    var red = SIMD16<Float>(repeating: 0)
    var green = SIMD16<Float>(repeating: 0)
    var blue = SIMD16<Float>(repeating: 0)
    /// Unused entries are farther away than any color.
    var rest = SIMD16<Float>(repeating: 16_000_000)
  }

  private let lanes: ContiguousArray<Lanes>
  private static let slots = 1 << 16

  /// Creates an index.
  ///
  /// - Parameter colors: 1 to 256 colors.
  init(_ colors: [Pixel]) {
    lanes = ContiguousArray(
      stride(from: 0, to: colors.count, by: 16).map { start in
        var lanes = Lanes()
        for index in start..<min(start + 16, colors.count) {
          let color = SIMD3(Float(colors[index].red), Float(colors[index].green), Float(colors[index].blue))
          lanes.red[index - start] = -32 * color.x
          lanes.green[index - start] = -32 * color.y
          lanes.blue[index - start] = -32 * color.z
          lanes.rest[index - start] = 16 * (color * color).sum() + Float(start / 16)
        }
        return lanes
      })
  }

  @inline(__always) private static func nearest(_ pixel: Pixel, _ lanes: Span<Lanes>) -> UInt8 {
    let (red, green, blue) = (Float(pixel.red), Float(pixel.green), Float(pixel.blue))
    var best = SIMD16<Float>(repeating: .greatestFiniteMagnitude)
    for index in 0..<lanes.count {
      let lane = lanes[index]
      let term = lane.rest + lane.red * red + lane.green * green + lane.blue * blue
      best.replace(with: term, where: term .< best)
    }
    // Halves the vector while it is wide, so that one comparison handles several colors.
    let eight = best.lowHalf.replacing(with: best.highHalf, where: best.highHalf .< best.lowHalf)
    let four = eight.lowHalf.replacing(with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
    let least = min(min(four.x, four.y), min(four.z, four.w))
    for lane in 0..<16 where best[lane] == least {
      return UInt8(truncatingIfNeeded: (Int(least) & 15) * 16 + lane)
    }
    return 0
  }

  /// Returns the index of the nearest color for each pixel, with a cache of recent colors.
  func indices(_ pixels: ContiguousArray<Pixel>) -> ContiguousArray<UInt8> {
    // Slot → color in the upper bytes, its index below. Every slot is initialized with white, so white is looked up first.
    let colors = lanes.span
    let white = UInt32(0xFFFF_FF00) | UInt32(Self.nearest(Pixel(packed: .max), colors))
    var known = ContiguousArray<UInt32>(repeating: white, count: Self.slots)
    var indices = ContiguousArray<UInt8>(repeating: 0, count: pixels.count)
    var cache = known.mutableSpan
    var output = indices.mutableSpan
    let input = pixels.span
    for position in 0..<input.count {
      let color = input[position].packed << 8
      let slot = Int((color &* 0x9E37_79B1) >> 16)
      var found = cache[slot]
      if found & 0xFFFF_FF00 != color {
        found = color | UInt32(Self.nearest(input[position], colors))
        cache[slot] = found
      }
      output[position] = UInt8(truncatingIfNeeded: found)
    }
    return indices
  }
}

/// Nearly identical palette colors for each palette index, nearest first.
struct SimilarColorTable {
  static let most = 8
  /// ``most`` entries per index, used ones first.
  let places: ContiguousArray<UInt8>
  /// Number of used entries per index.
  let counts: ContiguousArray<UInt8>

  /// Creates a table.
  ///
  /// - Parameter distance: Maximum squared distance over red, green, and blue.
  init(_ colors: [Pixel], distance: Int) {
    var places = ContiguousArray<UInt8>(repeating: 0, count: colors.count * Self.most)
    var counts = ContiguousArray<UInt8>(repeating: 0, count: colors.count)
    var near: [(distance: Int, index: Int)] = []
    for (index, color) in colors.enumerated() {
      near.removeAll(keepingCapacity: true)
      for (other, candidate) in colors.enumerated() where other != index {
        let far = color.squaredDistance(to: candidate)
        if far <= distance { near.append((far, other)) }
      }
      near.sort { $0 < $1 }
      for (place, other) in near.prefix(Self.most).enumerated() {
        places[index * Self.most + place] = UInt8(other.index)
      }
      counts[index] = UInt8(min(near.count, Self.most))
    }
    self.places = places
    self.counts = counts
  }
}

extension Pixel {
  /// Returns the squared distance over red, green, and blue, 0…195,075.
  func squaredDistance(to other: Pixel) -> Int {
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return red * red + green * green + blue * blue
  }
}
