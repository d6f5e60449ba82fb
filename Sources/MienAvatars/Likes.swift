internal import MienImaging

/// For each palette index the others that hardly differ from it, the nearest first.
struct Likes {
  private static let most = 8
  /// Eight places for each index, those there are first.
  let places: ContiguousArray<UInt8>
  private let counts: ContiguousArray<UInt8>

  /// - Parameter distance: the largest squared distance in red, green and blue together.
  init(_ colours: [Pixel], distance: Int) {
    var places = ContiguousArray<UInt8>(repeating: 0, count: colours.count * Self.most)
    var counts = ContiguousArray<UInt8>(repeating: 0, count: colours.count)
    var near: [(distance: Int, index: Int)] = []
    for (index, colour) in colours.enumerated() {
      near.removeAll(keepingCapacity: true)
      for (other, candidate) in colours.enumerated() where other != index {
        let far = colour.squaredDistance(to: candidate)
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

  /// Where in ``places`` those that are like an index stand.
  @inline(__always) func range(of index: UInt32) -> Range<Int> {
    guard index < counts.count else { return 0..<0 }
    let start = Int(index) * Self.most
    return start..<start + Int(counts[Int(index)])
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
