/// Selects the image of each triangle: one that shows it well, and preferably that of its neighbors, to minimize seams
/// (the labeling of Lempitsky and Ivanov, "Seamless mosaicing of image-based texture maps", CVPR 2007, by iterated
/// conditional modes).
struct ViewSelector {
  /// Image of each triangle; without one, −1…−6 for the axis nearest to its normal.
  private(set) var labels: ContiguousArray<Int32>

  /// - Parameter isWanted: called before every iteration; returns `false` to stop with the current selection.
  init(
    _ mesh: SurfaceMesh, views: TriangleViewCandidates, neighbors: TriangleAdjacency, settings: TextureSettings,
    while isWanted: () -> Bool = { true }
  ) {
    labels = ContiguousArray(mesh.triangles.indices.map { views.images[$0][0] })
    for _ in 0..<20 {
      guard isWanted(), sweep(views, neighbors, unity: settings.unity, only: nil) else { break }
    }
    for _ in 0..<3 {
      guard isWanted() else { break }
      let isSmall = Self.pieces(labels, neighbors).small(settings.smallestChart)
      guard isSmall.contains(true) else { break }
      for _ in 0..<4 { guard isWanted(), sweep(views, neighbors, unity: 2, only: isSmall) else { break } }
    }
    for triangle in labels.indices where labels[triangle] < 0 {
      labels[triangle] = Self.axis(of: mesh.doubleArea(mesh.triangles[triangle]))
    }
  }

  /// Updates the selection of each triangle.
  ///
  /// - Returns: `true` if any has changed.
  private mutating func sweep(
    _ views: TriangleViewCandidates, _ neighbors: TriangleAdjacency, unity: Float, only: ContiguousArray<Bool>?
  ) -> Bool {
    var changed = false
    for triangle in labels.indices where labels[triangle] >= 0 && only?[triangle] != false {
      var best = (label: labels[triangle], score: -Float.infinity)
      for place in 0..<4 {
        let label = views.images[triangle][place]
        guard label >= 0 else { break }
        var score = views.worths[triangle][place] / views.worths[triangle][0]
        for edge in 0..<3 {
          let other = neighbors.across[triangle][edge]
          if other >= 0, labels[Int(other)] == label { score += unity }
        }
        if score > best.score { best = (label, score) }
      }
      if best.label != labels[triangle] {
        labels[triangle] = best.label
        changed = true
      }
    }
    return changed
  }

  /// Returns the connected components of equal label.
  static func pieces(_ labels: ContiguousArray<Int32>, _ neighbors: TriangleAdjacency) -> Pieces {
    var pieces = Pieces(numbers: ContiguousArray(repeating: -1, count: labels.count), sizes: [])
    var stack: ContiguousArray<Int32> = []
    for first in labels.indices where pieces.numbers[first] < 0 {
      let number = Int32(pieces.sizes.count)
      pieces.numbers[first] = number
      pieces.sizes.append(0)
      stack.append(Int32(first))
      while let triangle = stack.popLast() {
        pieces.sizes[Int(number)] += 1
        for edge in 0..<3 {
          let other = Int(neighbors.across[Int(triangle)][edge])
          guard other >= 0, pieces.numbers[other] < 0, labels[other] == labels[first] else { continue }
          pieces.numbers[other] = number
          stack.append(Int32(other))
        }
      }
    }
    return pieces
  }

  struct Pieces {
    /// Component of each triangle.
    var numbers: ContiguousArray<Int32>
    /// Number of triangles of each component.
    var sizes: ContiguousArray<Int32>

    /// Returns for each triangle whether its component has less than `least` triangles.
    func small(_ least: Int) -> ContiguousArray<Bool> {
      ContiguousArray(numbers.map { sizes[Int($0)] < least })
    }
  }

  private static func axis(of normal: SIMD3<Float>) -> Int32 {
    let size = SIMD3(abs(normal.x), abs(normal.y), abs(normal.z))
    let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
    return -1 - Int32(2 * axis + (normal[axis] < 0 ? 1 : 0))
  }
}

/// Best few images for each triangle of a mesh.
struct TriangleViewCandidates {
  /// Image numbers, best first; -1 if there are fewer.
  private(set) var images: ContiguousArray<SIMD4<Int32>>
  /// Quality of each candidate: the visible area in pixels, weighted by viewing angle and sharpness, and much reduced
  /// beside a foreground edge.
  private(set) var worths: ContiguousArray<SIMD4<Float>>

  init(count: Int) {
    images = ContiguousArray(repeating: SIMD4(repeating: -1), count: count)
    worths = ContiguousArray(repeating: .zero, count: count)
  }

  mutating func offer(_ image: Int32, worth: Float, of triangle: Int) {
    guard worth > worths[triangle][3] else { return }
    var place = 3
    while place > 0, worths[triangle][place - 1] < worth {
      worths[triangle][place] = worths[triangle][place - 1]
      images[triangle][place] = images[triangle][place - 1]
      place -= 1
    }
    worths[triangle][place] = worth
    images[triangle][place] = image
  }

  /// Returns the quality of an image for a triangle relative to the best one, 0…1; nil if it is not among the
  /// candidates.
  func share(of image: Int32, _ triangle: Int) -> Float? {
    for place in 0..<4 where images[triangle][place] == image && image >= 0 {
      return worths[triangle][place] / worths[triangle][0]
    }
    return nil
  }
}

/// Adjacency of triangles that share an edge.
struct TriangleAdjacency {
  /// Adjacent triangle across each of a triangle's three edges; -1 at a boundary. At an edge of more than two
  /// triangles, they are joined in pairs.
  let across: ContiguousArray<SIMD3<Int32>>

  init(_ mesh: SurfaceMesh) {
    var edges: ContiguousArray<(key: UInt64, side: UInt32)> = []
    edges.reserveCapacity(mesh.triangles.count * 3)
    for (number, corners) in mesh.triangles.enumerated() {
      for edge in 0..<3 {
        let (a, b) = (corners[edge], corners[(edge + 1) % 3])
        edges.append((UInt64(min(a, b)) << 32 | UInt64(max(a, b)), UInt32(number * 3 + edge)))
      }
    }
    edges.sort { ($0.key, $0.side) < ($1.key, $1.side) }
    var across = ContiguousArray<SIMD3<Int32>>(repeating: SIMD3(repeating: -1), count: mesh.triangles.count)
    var place = 0
    while place + 1 < edges.count {
      guard edges[place].key == edges[place + 1].key else {
        place += 1
        continue
      }
      let (one, other) = (Int(edges[place].side), Int(edges[place + 1].side))
      across[one / 3][one % 3] = Int32(other / 3)
      across[other / 3][other % 3] = Int32(one / 3)
      place += 2
    }
    self.across = across
  }
}
