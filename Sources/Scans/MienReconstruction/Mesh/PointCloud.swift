public import MienScanFormat

/// Points of a surface, in meters.
public struct PointCloud: Sendable {
  public internal(set) var positions: ContiguousArray<SIMD3<Float>>
  /// Unit normals; empty, or as many as ``positions``.
  public internal(set) var normals: ContiguousArray<SIMD3<Float>>
  /// Red, green, blue (sRGB); empty, or as many as ``positions``.
  public internal(set) var colors: ContiguousArray<SIMD3<UInt8>>

  /// Creates a point cloud from the vertices of a mesh.
  public init(_ mesh: SurfaceMesh) {
    positions = mesh.positions
    normals = mesh.normals
    colors = mesh.colors
  }

  /// Creates a point cloud from the samples of a depth map, in world coordinates.
  public init(_ map: DepthMap, from pose: CameraPose) {
    positions = []
    normals = []
    colors = []
    positions.reserveCapacity(map.validCount)
    for y in 0..<map.height {
      for x in 0..<map.width {
        if let point = map.point(x: x, y: y) { positions.append(pose.world(point)) }
      }
    }
  }

  /// Returns one point per occupied cube of edge `voxel` (meters): the mean of its points, normals and colors.
  ///
  /// Points farther than 2^20 cubes from the origin are omitted.
  public func sampledDown(voxel: Float) -> PointCloud {
    guard voxel > 0, voxel.isFinite else { return self }
    var table = VoxelBlockHashTable()
    var sums: ContiguousArray<SIMD4<Float>> = []
    var normalSums: ContiguousArray<SIMD3<Float>> = []
    var colorSums: ContiguousArray<SIMD3<Float>> = []
    for index in positions.indices {
      let at = positions[index] / voxel
      guard let i = VoxelVolume.cell(at.x), let j = VoxelVolume.cell(at.y), let k = VoxelVolume.cell(at.z) else {
        continue
      }
      let key = VoxelBlockHashTable.key(i, j, k)
      var slot = Int(table.find(key))
      if slot < 0 {
        slot = sums.count
        table.insert(key, Int32(slot))
        sums.append(.zero)
        if !normals.isEmpty { normalSums.append(.zero) }
        if !colors.isEmpty { colorSums.append(.zero) }
      }
      sums[slot] += SIMD4(positions[index], 1)
      if !normals.isEmpty { normalSums[slot] += normals[index] }
      if !colors.isEmpty { colorSums[slot] += SIMD3<Float>(colors[index]) }
    }
    var cloud = self
    cloud.positions = ContiguousArray(sums.map { SIMD3($0.x, $0.y, $0.z) / $0.w })
    cloud.normals = ContiguousArray(
      normalSums.map { normal in
        let length = dot(normal, normal).squareRoot()
        return length > 0 ? normal / length : SIMD3(0, 1, 0)
      })
    cloud.colors = ContiguousArray(
      zip(colorSums, sums).map { sum, count in
        let mean = sum / count.w + 0.5
        return SIMD3(UInt8(mean.x), UInt8(mean.y), UInt8(mean.z))
      })
    return cloud
  }

  /// The point cloud as binary PLY.
  public var ply: ContiguousArray<UInt8> { PLYWriter.bytes(of: self) }
}

extension PointCloud: CustomStringConvertible, CustomReflectable {
  public var description: String { "PointCloud(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
