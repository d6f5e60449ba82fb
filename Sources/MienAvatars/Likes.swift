internal import MienImaging

/// For each palette index the others that hardly differ from it, the nearest first.
struct Likes {
  private static let most = 8
  /// Eight places for each index; the index itself where there are no more.
  private let places: [UInt8]
  private let counts: [UInt8]

  /// - Parameter distance: the largest squared distance in red, green and blue together.
  init(_ colours: [Pixel], distance: Int) {
    var places = [UInt8](repeating: 0, count: colours.count * Self.most)
    var counts = [UInt8](repeating: 0, count: colours.count)
    for (index, colour) in colours.enumerated() {
      let near = colours.indices.filter { $0 != index && colour.squaredDistance(to: colours[$0]) <= distance }
        .sorted { colour.squaredDistance(to: colours[$0]) < colour.squaredDistance(to: colours[$1]) }
      for (place, other) in near.prefix(Self.most).enumerated() { places[index * Self.most + place] = UInt8(other) }
      counts[index] = UInt8(min(near.count, Self.most))
    }
    self.places = places
    self.counts = counts
  }

  func of(_ index: UInt32) -> ArraySlice<UInt8> {
    guard index < counts.count else { return [] }
    let start = Int(index) * Self.most
    return places[start..<start + Int(counts[Int(index)])]
  }
}

extension Pixel {
  /// Red, green and blue together, 0…195,075.
  func squaredDistance(to other: Pixel) -> Int {
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return red * red + green * green + blue * blue
  }
}
