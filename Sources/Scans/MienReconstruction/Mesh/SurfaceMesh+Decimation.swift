extension SurfaceMesh {
  /// Returns the mesh with at most `wanted` triangles, or as close to that as possible without folding or closing
  /// holes. Edges are collapsed in the order of their quadric errors (`Quadric`). Boundaries are preserved; colors
  /// are averaged.
  public func decimated(to wanted: Int) -> SurfaceMesh {
    guard triangles.count > max(wanted, 4) else { return self }
    var work = Decimation(self)
    work.run(until: max(wanted, 4))
    return work.mesh()
  }
}

/// State of an edge-collapse decimation.
private struct Decimation {
  private var positions: ContiguousArray<SIMD3<Double>>
  private var colors: ContiguousArray<SIMD3<Float>>
  private var quadrics: ContiguousArray<Quadric>
  private var triangles: ContiguousArray<SIMD3<UInt32>>
  private var isAlive: ContiguousArray<Bool>
  private var isRim: ContiguousArray<Bool>
  /// Triangles at each vertex; deleted ones are removed when the list is rebuilt.
  private var fans: ContiguousArray<ContiguousArray<Int32>>
  /// Version of each vertex, incremented when it changes: a heap entry with another stamp is stale.
  private var stamps: ContiguousArray<UInt32>
  private var heap = EdgeHeap()
  private var count: Int

  init(_ mesh: SurfaceMesh) {
    positions = ContiguousArray(mesh.positions.map { SIMD3<Double>($0) })
    colors = ContiguousArray(mesh.colors.map { SIMD3<Float>($0) })
    triangles = mesh.triangles
    quadrics = ContiguousArray(repeating: Quadric(), count: positions.count)
    isAlive = ContiguousArray(repeating: true, count: triangles.count)
    isRim = ContiguousArray(repeating: false, count: positions.count)
    fans = ContiguousArray(repeating: [], count: positions.count)
    stamps = ContiguousArray(repeating: 0, count: positions.count)
    count = triangles.count
    for (number, corners) in triangles.enumerated() {
      for corner in 0..<3 { fans[Int(corners[corner])].append(Int32(number)) }
    }
    addPlanes()
    for number in triangles.indices {
      for edge in 0..<3 {
        let (a, b) = (triangles[number][edge], triangles[number][(edge + 1) % 3])
        if a < b || isOpen(a, b) { enter(a, b) }
      }
    }
  }

  private func normal(_ corners: SIMD3<UInt32>) -> SIMD3<Double> {
    let a = positions[Int(corners.x)]
    let (u, v) = (positions[Int(corners.y)] - a, positions[Int(corners.z)] - a)
    return SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
  }

  /// Returns `true` if only one triangle has this edge.
  private func isOpen(_ a: UInt32, _ b: UInt32) -> Bool {
    fans[Int(a)].reduce(into: 0) { $0 += has(triangles[Int($1)], b) ? 1 : 0 } == 1
  }

  private func has(_ corners: SIMD3<UInt32>, _ vertex: UInt32) -> Bool {
    corners.x == vertex || corners.y == vertex || corners.z == vertex
  }

  private mutating func addPlanes() {
    for corners in triangles {
      let full = normal(corners)
      let length = (full * full).sum().squareRoot()
      guard length > 0 else { continue }
      let unit = full / length
      let plane = Quadric(normal: unit, point: positions[Int(corners.x)], weight: length)
      for corner in 0..<3 { quadrics[Int(corners[corner])] = quadrics[Int(corners[corner])] + plane }
      for edge in 0..<3 {
        let (a, b) = (corners[edge], corners[(edge + 1) % 3])
        guard isOpen(a, b) else { continue }
        // A heavily weighted perpendicular plane through an open edge preserves the boundary.
        let direction = positions[Int(b)] - positions[Int(a)]
        let side = SIMD3(
          direction.y * unit.z - direction.z * unit.y, direction.z * unit.x - direction.x * unit.z,
          direction.x * unit.y - direction.y * unit.x)
        let size = (side * side).sum()
        guard size > 0 else { continue }
        let rim = Quadric(normal: side / size.squareRoot(), point: positions[Int(a)], weight: 10 * size)
        for vertex in [a, b] {
          quadrics[Int(vertex)] = quadrics[Int(vertex)] + rim
          isRim[Int(vertex)] = true
        }
      }
    }
  }

  private mutating func enter(_ a: UInt32, _ b: UInt32) {
    heap.push(
      EdgeHeap.Edge(
        cost: Float(target(a, b).error), a: a, b: b, stamp: stamps[Int(a)] &+ stamps[Int(b)]))
  }

  private func target(_ a: UInt32, _ b: UInt32) -> (place: SIMD3<Double>, error: Double) {
    let quadric = quadrics[Int(a)] + quadrics[Int(b)]
    let (from, to) = (positions[Int(a)], positions[Int(b)])
    let middle = (from + to) / 2
    if let best = quadric.best {
      let (offsetFromMiddle, length) = (best - middle, to - from)
      // Far from the edge, the planes are nearly parallel.
      if (offsetFromMiddle * offsetFromMiddle).sum() < 4 * (length * length).sum() {
        return (best, quadric.error(at: best))
      }
    }
    var found = (place: middle, error: quadric.error(at: middle))
    for place in [from, to] {
      let error = quadric.error(at: place)
      if error < found.error { found = (place, error) }
    }
    return found
  }

  mutating func run(until wanted: Int) {
    while count > wanted, let edge = heap.pop() {
      guard stamps[Int(edge.a)] &+ stamps[Int(edge.b)] == edge.stamp, !fans[Int(edge.a)].isEmpty,
        !fans[Int(edge.b)].isEmpty
      else { continue }
      collapse(edge.a, edge.b)
    }
  }

  private func neighbors(_ vertex: UInt32) -> Set<UInt32> {
    var found: Set<UInt32> = []
    for number in fans[Int(vertex)] {
      for corner in 0..<3 where triangles[Int(number)][corner] != vertex {
        found.insert(triangles[Int(number)][corner])
      }
    }
    return found
  }

  private mutating func collapse(_ a: UInt32, _ b: UInt32) {
    let shared = fans[Int(a)].filter { has(triangles[Int($0)], b) }
    // The two vertices may share only the neighbors of their common triangles, or the surface would be pinched; and two
    // boundaries must not be joined across the surface.
    let around = neighbors(a)
    guard around.intersection(neighbors(b)).count == shared.count, shared.count <= 2,
      !(isRim[Int(a)] && isRim[Int(b)] && shared.count == 2)
    else { return }
    let place = target(a, b).place
    guard !folds(a, b, place), !folds(b, a, place) else { return }
    quadrics[Int(a)] = quadrics[Int(a)] + quadrics[Int(b)]
    positions[Int(a)] = place
    if !colors.isEmpty { colors[Int(a)] = (colors[Int(a)] + colors[Int(b)]) / 2 }
    isRim[Int(a)] = isRim[Int(a)] || isRim[Int(b)]
    for number in shared { isAlive[Int(number)] = false }
    count -= shared.count
    for number in fans[Int(b)] where isAlive[Int(number)] {
      for corner in 0..<3 where triangles[Int(number)][corner] == b { triangles[Int(number)][corner] = a }
      fans[Int(a)].append(number)
    }
    fans[Int(b)] = []
    // Stamps only grow, so that no earlier heap entry matches.
    stamps[Int(a)] = stamps[Int(a)] &+ stamps[Int(b)] &+ 1
    let alive = isAlive
    fans[Int(a)].removeAll { !alive[Int($0)] }
    for neighbor in neighbors(a) {
      fans[Int(neighbor)].removeAll { !alive[Int($0)] }
      enter(min(a, neighbor), max(a, neighbor))
    }
  }

  /// Returns `true` if a triangle at `vertex` without `other` would flip or degenerate if `vertex` moved to `place`.
  private func folds(_ vertex: UInt32, _ other: UInt32, _ place: SIMD3<Double>) -> Bool {
    for number in fans[Int(vertex)] {
      let corners = triangles[Int(number)]
      guard !has(corners, other) else { continue }
      let before = normal(corners)
      let at = corners.x == vertex ? 0 : corners.y == vertex ? 1 : 2
      let (p, q) = (positions[Int(corners[(at + 1) % 3])], positions[Int(corners[(at + 2) % 3])])
      let (u, v) = (p - place, q - place)
      let after = SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
      let (sizeBefore, sizeAfter) = ((before * before).sum().squareRoot(), (after * after).sum().squareRoot())
      guard sizeBefore > 0 else { continue }
      if (before * after).sum() <= 0.2 * sizeBefore * sizeAfter { return true }
    }
    return false
  }

  func mesh() -> SurfaceMesh {
    var mesh = SurfaceMesh()
    mesh.positions = ContiguousArray(positions.map { SIMD3<Float>($0) })
    mesh.colors = ContiguousArray(
      colors.map { SIMD3(UInt8($0.x.rounded()), UInt8($0.y.rounded()), UInt8($0.z.rounded())) })
    mesh.triangles = ContiguousArray(zip(triangles, isAlive).lazy.filter(\.1).map(\.0))
    mesh.makeNormals()
    mesh.dropUnusedVertices()
    return mesh
  }
}

/// Edges by cost, lowest first; ties are resolved by lower vertex indices for reproducible results.
private struct EdgeHeap {
  struct Edge {
    var cost: Float
    var a: UInt32
    var b: UInt32
    var stamp: UInt32

    func isBefore(_ other: Edge) -> Bool { cost != other.cost ? cost < other.cost : (a, b) < (other.a, other.b) }
  }

  private var edges: ContiguousArray<Edge> = []

  mutating func push(_ edge: Edge) {
    edges.append(edge)
    var at = edges.count - 1
    while at > 0, edges[at].isBefore(edges[(at - 1) / 2]) {
      edges.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  mutating func pop() -> Edge? {
    guard let first = edges.first else { return nil }
    let last = edges.removeLast()
    guard !edges.isEmpty else { return first }
    edges[0] = last
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2] where child < edges.count {
        if edges[child].isBefore(edges[least]) { least = child }
      }
      guard least != at else { return first }
      edges.swapAt(at, least)
      at = least
    }
  }
}

/// Sum of squared distances to planes as a function of position (Garland and Heckbert, "Surface simplification using
/// quadric error metrics", 1997).
struct Quadric {
  /// The symmetric 3×3 matrix, the vector and the constant: p·A·p + 2 b·p + c.
  private var diagonal = SIMD3<Double>.zero
  /// Elements xy, xz, yz of A.
  private var mixed = SIMD3<Double>.zero
  private var vector = SIMD3<Double>.zero
  private var constant = 0.0

  init() {}

  /// Creates the quadric of the plane through `point` with unit normal `normal`, multiplied by `weight`.
  init(normal: SIMD3<Double>, point: SIMD3<Double>, weight: Double) {
    let offset = -(normal * point).sum()
    diagonal = normal * normal * weight
    mixed = SIMD3(normal.x * normal.y, normal.x * normal.z, normal.y * normal.z) * weight
    vector = normal * (offset * weight)
    constant = offset * offset * weight
  }

  static func + (left: Quadric, right: Quadric) -> Quadric {
    var sum = left
    sum.diagonal += right.diagonal
    sum.mixed += right.mixed
    sum.vector += right.vector
    sum.constant += right.constant
    return sum
  }

  /// Returns the error at a position, in square meters times weight.
  func error(at p: SIMD3<Double>) -> Double {
    let square = (diagonal * p * p).sum() + 2 * (mixed.x * p.x * p.y + mixed.y * p.x * p.z + mixed.z * p.y * p.z)
    return max(square + 2 * (vector * p).sum() + constant, 0)
  }

  /// Position of minimum error; nil if the planes do not determine it.
  var best: SIMD3<Double>? {
    let (a, d, f) = (diagonal.x, diagonal.y, diagonal.z)
    let (b, c, e) = (mixed.x, mixed.y, mixed.z)
    let cofactors = SIMD3(d * f - e * e, c * e - b * f, b * e - c * d)
    let determinant = a * cofactors.x + b * cofactors.y + c * cofactors.z
    let size = (a + d + f) / 3
    guard determinant > 1e-3 * size * size * size, size > 0 else { return nil }
    let x = cofactors.x * vector.x + cofactors.y * vector.y + cofactors.z * vector.z
    let y = cofactors.y * vector.x + (a * f - c * c) * vector.y + (b * c - a * e) * vector.z
    let z = cofactors.z * vector.x + (b * c - a * e) * vector.y + (a * d - b * b) * vector.z
    return SIMD3(x, y, z) / -determinant
  }
}
