import MienImaging
internal import RealModule

/// Equalizes the exposure of different images: first a gain per image, then the remaining differences at the seams,
/// which fade out into the charts (after Waechter, Moehrle and Goesele, "Let there be color!", ECCV 2014, section 4.3).
struct SeamColorAdjuster {
  /// Factor for the colors of each image.
  private(set) var gains: [Int32: SIMD3<Float>] = [:]
  /// Offset at each texture vertex, added after the gain.
  private(set) var offsets: ContiguousArray<SIMD3<Float>>

  /// - Parameters:
  ///   - colors: image colors at the texture vertices, 0…255.
  ///   - vertices: mesh vertex of each texture vertex.
  ///   - labels: label of each texture vertex's chart.
  ///   - isWanted: called before every iteration; returns `false` to stop with the current result.
  init(
    colors: ContiguousArray<SIMD3<Float>>, vertices: ContiguousArray<UInt32>, labels: ContiguousArray<Int32>,
    charts: [TextureChart], while isWanted: () -> Bool = { true }
  ) {
    offsets = ContiguousArray(repeating: .zero, count: colors.count)
    let seams = Self.seams(vertices, labels)
    gains = Self.gains(colors, labels, seams, while: isWanted)
    equalizeSeams(colors, labels, seams, charts, while: isWanted)
  }

  /// Returns groups of texture vertices that share a mesh vertex.
  private static func seams(
    _ vertices: ContiguousArray<UInt32>, _ labels: ContiguousArray<Int32>
  ) -> [ContiguousArray<Int32>] {
    let order = vertices.indices.sorted { (vertices[$0], $0) < (vertices[$1], $1) }
    var seams: [ContiguousArray<Int32>] = []
    var place = 0
    while place < order.count {
      var end = place + 1
      while end < order.count, vertices[order[end]] == vertices[order[place]] { end += 1 }
      if end - place > 1 { seams.append(ContiguousArray(order[place..<end].map { Int32($0) })) }
      place = end
    }
    return seams
  }

  /// Two adjacent images, the lower index first.
  private struct Pair: Hashable {
    let one: Int32
    let other: Int32
  }

  /// Image adjacent to another one.
  private struct Neighbor {
    /// Index of the image.
    let image: Int
    /// Sum of the differences of the logarithmic colors to the other image at common vertices.
    let difference: SIMD3<Double>
    let count: Double
  }

  /// Returns the summed differences of the logarithmic colors of each pair of adjacent images, and the number of common
  /// vertices.
  private static func differences(
    _ colors: ContiguousArray<SIMD3<Float>>, _ labels: ContiguousArray<Int32>, _ seams: [ContiguousArray<Int32>]
  ) -> [Pair: (difference: SIMD3<Double>, count: Double)] {
    var sums: [Pair: (difference: SIMD3<Double>, count: Double)] = [:]
    for seam in seams {
      for (index, one) in seam.enumerated() {
        for other in seam[(index + 1)...] {
          let (a, b) = (labels[Int(one)], labels[Int(other)])
          guard a >= 0, b >= 0, a != b else { continue }
          let (first, second) = (colors[Int(one)], colors[Int(other)])
          // Nearly black or overexposed colors carry no information about the exposure.
          guard min(first.min(), second.min()) > 8, max(first.max(), second.max()) < 248 else { continue }
          var difference = SIMD3<Double>.zero
          for channel in 0..<3 {
            difference[channel] = Double.log2(Double(first[channel])) - Double.log2(Double(second[channel]))
          }
          let pair = a < b ? Pair(one: a, other: b) : Pair(one: b, other: a)
          let before = sums[pair] ?? (.zero, 0)
          sums[pair] = (before.difference + (a < b ? difference : -difference), before.count + 1)
        }
      }
    }
    return sums
  }

  /// Returns the gains that minimize the sum of squared differences of the logarithmic colors at the seams, by the
  /// Gauss–Seidel method.
  private static func gains(
    _ colors: ContiguousArray<SIMD3<Float>>, _ labels: ContiguousArray<Int32>, _ seams: [ContiguousArray<Int32>],
    while isWanted: () -> Bool
  ) -> [Int32: SIMD3<Float>] {
    let sums = differences(colors, labels, seams)
    let images = Set(sums.keys.flatMap { [$0.one, $0.other] }).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(images, images.indices))
    var neighbors = [[Neighbor]](repeating: [], count: images.count)
    // Sorted, so that floating-point sums are reproducible.
    for (pair, entry) in sums.sorted(by: { ($0.key.one, $0.key.other) < ($1.key.one, $1.key.other) }) {
      guard let one = numbers[pair.one], let other = numbers[pair.other] else { continue }
      neighbors[one].append(Neighbor(image: other, difference: -entry.difference, count: entry.count))
      neighbors[other].append(Neighbor(image: one, difference: entry.difference, count: entry.count))
    }
    var logarithms = [SIMD3<Double>](repeating: .zero, count: images.count)
    for _ in 0..<100 {
      guard isWanted() else { break }
      var largest = 0.0
      for image in images.indices {
        // A small weight on unit gain stabilizes images with few common vertices.
        var (sum, weight) = (SIMD3<Double>.zero, 20.0)
        for neighbor in neighbors[image] {
          sum += neighbor.count * logarithms[neighbor.image] + neighbor.difference
          weight += neighbor.count
        }
        let change = sum / weight - logarithms[image]
        largest = max(largest, pointwiseMax(change, -change).max())
        logarithms[image] = sum / weight
      }
      if largest < 1e-6 { break }
    }
    return Dictionary(uniqueKeysWithValues: zip(images, logarithms.map(gain)))
  }

  /// Converts a base-2 logarithm to a factor, limited to 0.5…2.
  private static func gain(_ logarithm: SIMD3<Double>) -> SIMD3<Float> {
    var gain = SIMD3<Float>.zero
    for channel in 0..<3 {
      gain[channel] = Float(Double.exp2(min(max(logarithm[channel], -1), 1)))
    }
    return gain
  }

  /// Sets the vertices of each seam to one color, and lets the correction fade out into the charts.
  private mutating func equalizeSeams(
    _ colors: ContiguousArray<SIMD3<Float>>, _ labels: ContiguousArray<Int32>, _ seams: [ContiguousArray<Int32>],
    _ charts: [TextureChart], while isWanted: () -> Bool
  ) {
    var isFixed = ContiguousArray<Bool>(repeating: false, count: colors.count)
    for seam in seams {
      let isAnyPhotographed = seam.contains { labels[Int($0)] >= 0 }
      var (sum, count) = (SIMD3<Float>.zero, Float.zero)
      for place in seam where !isAnyPhotographed || labels[Int(place)] >= 0 {
        sum += lit(colors[Int(place)], labels[Int(place)])
        count += 1
      }
      for place in seam {
        offsets[Int(place)] = sum / count - lit(colors[Int(place)], labels[Int(place)])
        isFixed[Int(place)] = true
      }
    }
    var sums = ContiguousArray<SIMD4<Float>>(repeating: .zero, count: colors.count)
    for _ in 0..<60 {
      guard isWanted() else { break }
      for index in sums.indices { sums[index] = .zero }
      for chart in charts {
        for (_, corners) in chart.faces {
          for corner in 0..<3 {
            let (here, next) = (Int(corners[corner]), Int(corners[(corner + 1) % 3]))
            sums[here] += SIMD4(offsets[next], 1)
            sums[next] += SIMD4(offsets[here], 1)
          }
        }
      }
      for place in offsets.indices where !isFixed[place] && sums[place].w > 0 {
        // Decays with distance, so that a chart keeps its image's colors far from its seams.
        offsets[place] = SIMD3(sums[place].x, sums[place].y, sums[place].z) / sums[place].w * 0.97
      }
    }
  }

  /// Returns a color multiplied by its image's gain.
  func lit(_ color: SIMD3<Float>, _ label: Int32) -> SIMD3<Float> { color * (gains[label] ?? SIMD3(repeating: 1)) }
}
