/// The triangles of a cube of eight voxels, for each of the 256 ways in which its corners can lie inside or outside.
///
/// Made by a rule instead of listed, so that it can be reasoned about. Corner `c` lies at (c & 1, c >> 1 & 1, c >> 2);
/// edge `4 a + n` runs along axis `a`. On each face, every run of inside corners is cut off by one line from the edge
/// where the run ends to the edge where it begins, going counterclockwise. The rule knows nothing but the four corners
/// of the face, so the two cubes that share it draw the same lines, in opposite directions: no cracks, and triangles
/// that agree in their orientation. The lines of the six faces join into closed loops; a loop is cut into triangles
/// without a diagonal within a face wherever that can be done, so that no edge is used by more than two triangles.
struct MarchingCubesTable: Sendable {
  /// Where the triangles of a case begin in ``edges``; 257 numbers.
  let starts: ContiguousArray<Int>
  /// Three edges a triangle.
  let edges: ContiguousArray<UInt8>

  static let shared = MarchingCubesTable()

  /// The corner where each edge begins: the one nearer to the origin.
  static let corners: ContiguousArray<UInt8> = ContiguousArray((0..<12).map { UInt8(corner(ofEdge: $0)) })

  private static func corner(ofEdge edge: Int) -> Int {
    let (axis, n) = (edge >> 2, edge & 3)
    return (n & 1) << ((axis + 1) % 3) | (n >> 1) << ((axis + 2) % 3)
  }

  private init() {
    var starts: ContiguousArray<Int> = [0]
    var edges: ContiguousArray<UInt8> = []
    for inside in 0..<256 {
      for loop in Self.loops(inside) { edges += Self.triangles(of: loop).map(UInt8.init) }
      starts.append(edges.count)
    }
    self.starts = starts
    self.edges = edges
  }

  /// The corners of a face, counterclockwise seen from outside the cube.
  private static func corners(ofFace face: Int) -> [Int] {
    let (axis, side) = (face >> 1, face & 1)
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3)
    let ring = [0, 1 << b, 1 << b | 1 << c, 1 << c].map { $0 | side << axis }
    return side == 1 ? ring : ring.reversed()
  }

  private static func edge(between a: Int, _ b: Int) -> Int {
    let axis = (a ^ b).trailingZeroBitCount
    let low = a & b
    return axis << 2 | (low >> ((axis + 1) % 3) & 1) | (low >> ((axis + 2) % 3) & 1) << 1
  }

  private static func loops(_ inside: Int) -> [[Int]] {
    var next: [Int: Int] = [:]
    for face in 0..<6 {
      let ring = corners(ofFace: face)
      let isIn = ring.map { inside >> $0 & 1 == 1 }
      for i in 0..<4 where isIn[i] && !isIn[(i + 1) % 4] {
        var first = i
        while isIn[(first + 3) % 4] { first = (first + 3) % 4 }
        next[edge(between: ring[i], ring[(i + 1) % 4])] = edge(between: ring[(first + 3) % 4], ring[first])
      }
    }
    var loops: [[Int]] = []
    while let start = next.keys.min() {
      var loop: [Int] = []
      var at = start
      while let onward = next.removeValue(forKey: at) {
        loop.append(at)
        at = onward
      }
      loops.append(loop)
    }
    return loops
  }

  /// The two faces that each edge lies on, a bit each.
  private static let faces: [UInt8] = (0..<12).map { edge in
    let (axis, n) = (edge >> 2, edge & 3)
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3)
    return 1 << (b << 1 | n & 1) | 1 << (c << 1 | n >> 1)
  }

  private static func share(_ a: Int, _ b: Int) -> Bool { faces[a] & faces[b] != 0 }

  /// Cuts a loop into triangles with as few diagonals within a face as can be.
  private static func triangles(of loop: [Int]) -> [Int] {
    func best(_ from: Int, _ to: Int) -> (cost: Int, edges: [Int]) {
      guard to - from >= 2 else { return (0, []) }
      var found: (cost: Int, edges: [Int])?
      for middle in (from + 1)..<to {
        let (left, right) = (best(from, middle), best(middle, to))
        var cost = left.cost + right.cost
        if middle - from > 1, share(loop[from], loop[middle]) { cost += 1 }
        if to - middle > 1, share(loop[middle], loop[to]) { cost += 1 }
        if let found, found.cost <= cost { continue }
        found = (cost, left.edges + [loop[from], loop[middle], loop[to]] + right.edges)
      }
      return found ?? (0, [])
    }
    return best(0, loop.count - 1).edges
  }
}
