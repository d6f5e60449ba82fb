internal import MienScanFormat

extension VoxelVolume {
  /// Extracts the zero level set of the distance by marching cubes (`MarchingCubesTable`).
  ///
  /// Triangles share vertices, also across blocks; vertex normals are the gradient of the distance. Only voxels with a
  /// weight of at least `leastWeight` are used: the surface ends at cubes with an unknown corner.
  ///
  /// - Parameters:
  ///   - leastWeight: lowest weight of voxels that are used.
  ///   - largestTriangleCount: maximum number of triangles; 6 000 000 (200 MB with their vertices) by default.
  ///   - isWanted: called before every block; if it returns `false`, the surface extracted so far is returned.
  /// - Throws: ``ReconstructionError`` with code `tooLarge` if the maximum is exceeded.
  public func surface(
    leastWeight: Float = 1, largestTriangleCount: Int = 6_000_000, while isWanted: () -> Bool = { true }
  ) throws(ReconstructionError) -> SurfaceMesh {
    var maker = MarchingCubesExtractor(self, leastWeight: leastWeight)
    try maker.run(upTo: largestTriangleCount, while: isWanted)
    return maker.mesh
  }
}

/// Iterates over the blocks of a volume and collects the triangles.
private struct MarchingCubesExtractor {
  private let volume: VoxelVolume
  private let leastWeight: Float
  var mesh = SurfaceMesh()
  /// Bit masks per row of eight voxels: those inside, and those known.
  private var inside: ContiguousArray<UInt8>
  private var known: ContiguousArray<UInt8>
  /// Vertex on each edge of each voxel of blocks with vertices: 512 edges per axis; -1 if there is none yet.
  private var vertices: ContiguousArray<Int32> = []
  private var page: ContiguousArray<Int32>
  /// Distances in and around the current block, and the position of its first voxel in voxels.
  private var surroundings = BlockNeighborhood()
  private var origin = SIMD3<Float>.zero

  init(_ volume: VoxelVolume, leastWeight: Float) {
    self.volume = volume
    self.leastWeight = max(leastWeight, .leastNonzeroMagnitude)
    (inside, known) = Self.signs(of: volume, leastWeight: self.leastWeight)
    page = ContiguousArray(repeating: -1, count: volume.blockCount)
  }

  mutating func run(upTo largestTriangleCount: Int, while isWanted: () -> Bool) throws(ReconstructionError) {
    let table = MarchingCubesTable.shared
    for block in 0..<volume.blockCount {
      guard isWanted() else { return }
      march(block, table)
      guard mesh.triangles.count <= largestTriangleCount else {
        throw ReconstructionError(
          .tooLarge, "the surface has more than \(largestTriangleCount) triangles: use larger voxels")
      }
    }
  }

  private static func signs(
    of volume: VoxelVolume, leastWeight: Float
  ) -> (inside: ContiguousArray<UInt8>, known: ContiguousArray<UInt8>) {
    let bits = SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128)
    var inside = ContiguousArray<UInt8>(repeating: 0, count: volume.rows.count)
    var known = inside
    let rows = volume.rows.span
    for row in rows.indices {
      known[row] = UInt8(
        truncatingIfNeeded: SIMD8<Int32>.zero.replacing(with: bits, where: rows[row].weights .>= leastWeight)
          .wrappedSum())
      inside[row] = UInt8(
        truncatingIfNeeded: SIMD8<Int32>.zero.replacing(with: bits, where: rows[row].means .< 0).wrappedSum())
    }
    return (inside, known)
  }

  /// Returns the eight blocks covered by the cubes of a block: itself and those towards +x, +y, +z; -1 for missing
  /// ones.
  private func family(of block: Int) -> SIMD8<Int32> {
    let place = volume.places[block]
    var family = SIMD8<Int32>(repeating: Int32(block))
    for other in 1..<8 {
      family[other] = volume.block(
        at: place &+ SIMD3(Int32(other & 1), Int32(other >> 1 & 1), Int32(other >> 2)))
    }
    return family
  }

  private mutating func march(_ block: Int, _ table: MarchingCubesTable) {
    var anyIn: UInt8 = 0
    var anyOut: UInt8 = 0
    for row in (block * 64)..<(block * 64 + 64) {
      anyIn |= inside[row] & known[row]
      anyOut |= ~inside[row] & known[row]
    }
    guard anyIn | anyOut != 0 else { return }
    let family = family(of: block)
    // Nine rows of nine bits by nine: this block's rows and the first ones of its neighbors.
    var signs = ContiguousArray<UInt16>(repeating: 0, count: 81)
    var seen = ContiguousArray<UInt16>(repeating: 0, count: 81)
    for z in 0..<9 {
      for y in 0..<9 {
        let (row, near) = ((z & 7) * 8 + (y & 7), (y >> 3) * 2 + (z >> 3) * 4)
        var (sign, know): (UInt16, UInt16) = (0, 0)
        if family[near] >= 0 {
          sign = UInt16(inside[Int(family[near]) * 64 + row])
          know = UInt16(known[Int(family[near]) * 64 + row])
        }
        if family[near + 1] >= 0 {
          sign |= UInt16(inside[Int(family[near + 1]) * 64 + row] & 1) << 8
          know |= UInt16(known[Int(family[near + 1]) * 64 + row] & 1) << 8
        }
        signs[z * 9 + y] = sign
        seen[z * 9 + y] = know
      }
    }
    var isReady = false
    for z in 0..<8 {
      for y in 0..<8 {
        let at = z * 9 + y
        let (a, b, c, d) = (signs[at], signs[at + 1], signs[at + 9], signs[at + 10])
        let all = seen[at] & seen[at + 1] & seen[at + 9] & seen[at + 10]
        let (some, every) = (a | b | c | d, a & b & c & d)
        var cubes = all & (all >> 1) & (some | some >> 1) & ~(every & every >> 1) & 0xFF
        if cubes != 0, !isReady {
          surroundings.read(block, of: volume, leastWeight: leastWeight)
          let place = volume.places[block]
          origin = SIMD3(Float(place.x), Float(place.y), Float(place.z)) * 8
          isReady = true
        }
        while cubes != 0 {
          let x = cubes.trailingZeroBitCount
          cubes &= cubes - 1
          let low = (a >> x & 3) | (b >> x & 3) << 2
          let high = (c >> x & 3) | (d >> x & 3) << 2
          addTriangles(Int(low | high << 4), x, y, z, family, table)
        }
      }
    }
  }

  private mutating func addTriangles(
    _ shape: Int, _ x: Int, _ y: Int, _ z: Int, _ family: SIMD8<Int32>, _ table: MarchingCubesTable
  ) {
    var at = table.starts[shape]
    let end = table.starts[shape + 1]
    while at < end {
      let a = vertex(Int(table.edges[at]), x, y, z, family)
      let b = vertex(Int(table.edges[at + 1]), x, y, z, family)
      let c = vertex(Int(table.edges[at + 2]), x, y, z, family)
      // The table's triangles are clockwise seen from outside.
      mesh.triangles.append(SIMD3(a, c, b))
      at += 3
    }
  }

  /// Returns the vertex on an edge of a cube, creating it on first use.
  private mutating func vertex(_ edge: Int, _ x: Int, _ y: Int, _ z: Int, _ family: SIMD8<Int32>) -> UInt32 {
    let (axis, corner) = (edge >> 2, Int(MarchingCubesTable.corners[edge]))
    let (i, j, k) = (x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2))
    let block = Int(family[(i >> 3) | (j >> 3) << 1 | (k >> 3) << 2])
    if page[block] < 0 {
      page[block] = Int32(vertices.count / 1536)
      vertices.append(contentsOf: repeatElement(-1, count: 1536))
    }
    let slot = Int(page[block]) * 1536 + axis * 512 + (k & 7) * 64 + (j & 7) * 8 + (i & 7)
    if vertices[slot] >= 0 { return UInt32(vertices[slot]) }
    let from = BlockNeighborhood.index(i, j, k)
    let to = from + BlockNeighborhood.steps[axis]
    let (near, far) = (surroundings.values[from], surroundings.values[to])
    let part = min(max(near / (near - far), 0.001), 0.999)
    let first = surroundings.gradient(from)
    let slope = first + (surroundings.gradient(to) - first) * part
    let length = dot(slope, slope).squareRoot()
    var place = SIMD3(Float(i), Float(j), Float(k))
    place[axis] += part
    let number = UInt32(mesh.positions.count)
    mesh.positions.append((place + origin) * volume.voxel)
    mesh.normals.append(length > 0 ? slope / length : SIMD3(0, 1, 0))
    vertices[slot] = Int32(number)
    return number
  }
}
