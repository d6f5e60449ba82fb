import MienImaging

/// Takes the light of different pictures to one: first a gain for each picture, then what is left at the seams, which
/// fades out into the pieces (after Waechter, Moehrle and Goesele, "Let there be color!", ECCV 2014, section 4.3).
struct SeamLevels {
  /// What to multiply a picture's colours with.
  private(set) var gains: [Int32: SIMD3<Float>] = [:]
  /// What to add at each place of the texture, after the gain.
  private(set) var offsets: ContiguousArray<SIMD3<Float>>

  /// - Parameters:
  ///   - colours: of the pictures at the texture's places, 0…255.
  ///   - vertices: the vertex of each place.
  ///   - labels: the label of each place's piece.
  init(
    colours: ContiguousArray<SIMD3<Float>>, vertices: ContiguousArray<UInt32>, labels: ContiguousArray<Int32>,
    charts: [TextureChart]
  ) {
    offsets = ContiguousArray(repeating: .zero, count: colours.count)
    let seams = Self.seams(vertices, labels)
    gains = Self.gains(colours, labels, seams)
    level(colours, labels, seams, charts)
  }

  /// Groups of places that are one vertex.
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

  /// The gains with the least sum of squares of what is left of the colours' logarithms at the seams.
  private static func gains(
    _ colours: ContiguousArray<SIMD3<Float>>, _ labels: ContiguousArray<Int32>, _ seams: [ContiguousArray<Int32>]
  ) -> [Int32: SIMD3<Float>] {
    struct Pair: Hashable {
      let one: Int32
      let other: Int32
    }
    var sums: [Pair: (difference: SIMD3<Double>, count: Double)] = [:]
    for seam in seams {
      for (index, one) in seam.enumerated() {
        for other in seam[(index + 1)...] {
          let (a, b) = (labels[Int(one)], labels[Int(other)])
          guard a >= 0, b >= 0, a != b else { continue }
          let (first, second) = (colours[Int(one)], colours[Int(other)])
          // What is nearly black or burnt out says nothing of the light.
          guard min(first.min(), second.min()) > 8, max(first.max(), second.max()) < 248 else { continue }
          var difference = SIMD3<Double>.zero
          for channel in 0..<3 {
            difference[channel] = SmallMath.log2(Double(first[channel])) - SmallMath.log2(Double(second[channel]))
          }
          let pair = a < b ? Pair(one: a, other: b) : Pair(one: b, other: a)
          let before = sums[pair] ?? (.zero, 0)
          sums[pair] = (before.difference + (a < b ? difference : -difference), before.count + 1)
        }
      }
    }
    let pictures = Set(sums.keys.flatMap { [$0.one, $0.other] }).sorted()
    let pairs = sums.sorted { ($0.key.one, $0.key.other) < ($1.key.one, $1.key.other) }
    var logarithms: [Int32: SIMD3<Double>] = [:]
    for _ in 0..<100 {
      for picture in pictures {
        // A little weight on no gain at all keeps pictures that hardly touch where they are.
        var (sum, weight) = (SIMD3<Double>.zero, 20.0)
        for (pair, told) in pairs where pair.one == picture || pair.other == picture {
          let isFirst = pair.one == picture
          let other = logarithms[isFirst ? pair.other : pair.one] ?? .zero
          sum += told.count * other + (isFirst ? -told.difference : told.difference)
          weight += told.count
        }
        logarithms[picture] = sum / weight
      }
    }
    return logarithms.mapValues { logarithm in
      var gain = SIMD3<Float>.zero
      for channel in 0..<3 {
        gain[channel] = Float(SmallMath.exp(min(max(logarithm[channel], -1), 1) * 0.693_147_180_559_945_3))
      }
      return gain
    }
  }

  /// Sets the places of each seam to one colour, and lets what that takes fade out into the pieces.
  private mutating func level(
    _ colours: ContiguousArray<SIMD3<Float>>, _ labels: ContiguousArray<Int32>, _ seams: [ContiguousArray<Int32>],
    _ charts: [TextureChart]
  ) {
    var isFixed = ContiguousArray<Bool>(repeating: false, count: colours.count)
    for seam in seams {
      let isAnyPhotographed = seam.contains { labels[Int($0)] >= 0 }
      var (sum, count) = (SIMD3<Float>.zero, Float.zero)
      for place in seam where !isAnyPhotographed || labels[Int(place)] >= 0 {
        sum += lit(colours[Int(place)], labels[Int(place)])
        count += 1
      }
      for place in seam {
        offsets[Int(place)] = sum / count - lit(colours[Int(place)], labels[Int(place)])
        isFixed[Int(place)] = true
      }
    }
    var sums = ContiguousArray<SIMD4<Float>>(repeating: .zero, count: colours.count)
    for _ in 0..<60 {
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
        // It fades: far from its seams a piece shows what its picture shows.
        offsets[place] = SIMD3(sums[place].x, sums[place].y, sums[place].z) / sums[place].w * 0.97
      }
    }
  }

  /// A colour after its picture's gain.
  func lit(_ colour: SIMD3<Float>, _ label: Int32) -> SIMD3<Float> { colour * (gains[label] ?? SIMD3(repeating: 1)) }
}
