internal import MienImaging

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
