import MienImaging
import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction
import MienArchive

@Suite struct `Meshes` {
  /// Sphere of 10 cm radius around the origin.
  private static let ball: SurfaceMesh = {
    guard var volume = VoxelVolume(voxel: 0.01) else { return SurfaceMesh() }
    try? volume.fill(reach: 0.16) { dot($0, $0).squareRoot() - 0.1 }
    return (try? volume.surface()) ?? SurfaceMesh()
  }()

  @Test func `decimating a sphere keeps it closed and round`() {
    let small = Self.ball.decimated(to: Self.ball.triangles.count / 4)
    #expect(small.triangles.count <= Self.ball.triangles.count / 4)
    #expect(small.triangles.count > Self.ball.triangles.count / 5)
    let topology = MeshTopology(small)
    #expect(topology.wrongEdges == 0)
    #expect(topology.eulerCharacteristic == 2)
    #expect(small.positions.allSatisfy { abs(dot($0, $0).squareRoot() - 0.1) < 0.003 })
    #expect(zip(small.positions, small.normals).allSatisfy { dot($0, $1) > 0 })
  }

  @Test func `decimating a plate keeps its border with few triangles`() throws {
    var positions: ContiguousArray<SIMD3<Float>> = []
    var triangles: ContiguousArray<SIMD3<UInt32>> = []
    for y in 0...10 { for x in 0...10 { positions.append(SIMD3(Float(x), Float(y), 0) / 100) } }
    for y in 0..<10 as Range<UInt32> {
      for x in 0..<10 as Range<UInt32> {
        let a = y * 11 + x
        triangles.append(SIMD3(a, a + 1, a + 12))
        triangles.append(SIMD3(a, a + 12, a + 11))
      }
    }
    let plate = try #require(SurfaceMesh(positions: positions, triangles: triangles))
    let small = plate.decimated(to: 10)
    #expect(small.triangles.count <= 40)
    #expect(abs(small.area - 0.01) < 1e-6)
    #expect(small.normals.allSatisfy { $0.z > 0.999 })
  }

  @Test func `mismatched counts are rejected`() {
    #expect(SurfaceMesh(positions: [.zero], triangles: [SIMD3(0, 0, 1)]) == nil)
    #expect(SurfaceMesh(positions: [.zero], normals: [.zero, .zero], triangles: []) == nil)
    #expect(SurfaceMesh(positions: [.zero], colors: [.zero, .zero], triangles: []) == nil)
  }

  @Test func `a camera sees the near side of a sphere and projects its pixels onto it`() throws {
    let pose = HeadScene.looking(from: [0, 0, 0.5], at: .zero)
    let camera = PinholeIntrinsics(fx: 100, fy: 100, cx: 40, cy: 30)
    let view = try #require(VisibilityMap(Self.ball, width: 81, height: 61, camera: camera, pose: pose))
    let center = try #require(view.place(x: 40, y: 30))
    #expect(abs(center.x) < 1e-4 && abs(center.y) < 1e-4 && abs(center.z - 0.1) < 1e-3)
    #expect(view.place(x: 0, y: 0) == nil)
    #expect(view.place(x: 100, y: 30) == nil)
    let up = try #require(view.place(x: 40, y: 20))
    #expect(up.y > 0.03 && abs(dot(up, up).squareRoot() - 0.1) < 0.001)
    #expect(VisibilityMap(Self.ball, width: 0, height: 5, camera: camera, pose: pose) == nil)
  }

  @Test func `colors come from images with a direct view of the surface`() {
    let camera = PinholeIntrinsics(fx: 100, fy: 100, cx: 40, cy: 30)
    let (red, blue) = (Pixel(red: 200, green: 0, blue: 0), Pixel(red: 0, green: 0, blue: 200))
    var coloring = VertexColorizer(Self.ball)
    coloring.add(
      Frame(width: 81, height: 61, filledWith: red), camera: camera,
      pose: HeadScene.looking(from: [0, 0, 0.5], at: .zero), tolerance: 0.005)
    coloring.add(
      Frame(width: 81, height: 61, filledWith: blue), camera: camera,
      pose: HeadScene.looking(from: [0, 0, -0.5], at: .zero), tolerance: 0.005)
    let mesh = coloring.colored()
    for (position, color) in zip(mesh.positions, mesh.colors) {
      if position.z > 0.04 { #expect(color == SIMD3(200, 0, 0)) }
      if position.z < -0.04 { #expect(color == SIMD3(0, 0, 200)) }
    }
    #expect(VertexColorizer(Self.ball).colored().colors.isEmpty)
  }

  @Test func `downsampling a point cloud leaves the mean of each voxel`() {
    let cloud = PointCloud(Self.ball)
    let small = cloud.sampledDown(voxel: 0.04)
    #expect(small.positions.count < cloud.positions.count / 5)
    #expect(small.positions.count > 20)
    #expect(small.normals.count == small.positions.count)
    let cells = Set(small.positions.map { (position: SIMD3<Float>) in (position / 0.04).rounded(.down) })
    #expect(cells.count == small.positions.count)
    #expect(cloud.sampledDown(voxel: 1).positions.count == 8)
    #expect(cloud.sampledDown(voxel: .nan).positions.count == cloud.positions.count)
  }
}

@Suite struct `Mesh files` {
  private let mesh: SurfaceMesh

  init() throws {
    mesh = try #require(
      SurfaceMesh(
        positions: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]],
        colors: [[255, 0, 0], [0, 255, 0], [0, 0, 255], [128, 128, 128]],
        triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
  }

  private func number(_ bytes: ContiguousArray<UInt8>, _ at: Int) -> Int {
    Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 24
  }

  @Test func `a PLY file is read back unchanged`() throws {
    let bytes = try MeshFormat.ply.bytes(of: mesh)
    let again = try #require(SurfaceMesh(ply: bytes))
    #expect(again.positions == mesh.positions)
    #expect(again.normals == mesh.normals)
    #expect(again.colors == mesh.colors)
    #expect(again.triangles == mesh.triangles)
    for length in 0..<bytes.count { #expect(SurfaceMesh(ply: ContiguousArray(bytes[..<length])) == nil) }
    #expect(SurfaceMesh(ply: ContiguousArray("ply\nformat ascii 1.0\nend_header\n".utf8)) == nil)
  }

  @Test func `GLB lengths are consistent and chunks are 4-byte aligned`() throws {
    let bytes = try MeshFormat.glb.bytes(of: mesh)
    #expect(bytes.starts(with: Array("glTF".utf8)))
    #expect(number(bytes, 8) == bytes.count)
    let json = number(bytes, 12)
    #expect(json % 4 == 0)
    let text = String(decoding: bytes[20..<(20 + json)], as: UTF8.self)
    let buffer = number(bytes, 20 + json)
    #expect(28 + json + buffer == bytes.count)
    #expect(text.contains(#""byteLength":\#(buffer)}]}"#))
    #expect(text.contains(#""min":[0.0,0.0,0.0],"max":[1.0,2.0,3.0]"#))
    // Pure red is 1 in linear light; gray 128 is 0.2158.
    let colors = 28 + json + buffer - 4 * 8
    #expect(number(bytes, colors) == 0xFFFF)
    #expect(abs(number(bytes, colors + 24) & 0xFFFF - 14146) <= 2)
  }

  @Test func `an STL file has 50 bytes per triangle`() throws {
    let bytes = try MeshFormat.stl.bytes(of: mesh)
    #expect(bytes.count == 84 + 50 * 4)
    #expect(number(bytes, 80) == 4)
    #expect(Float(bitPattern: UInt32(number(bytes, 84 + 8))) == -1)
  }

  @Test func `OBJ indices start at one and the material is named`() throws {
    let text = String(decoding: try MeshFormat.obj.bytes(of: mesh), as: UTF8.self)
    #expect(text.contains("v 0.0 2.0 0.0 0.0 0.0 1.0\n"))
    #expect(text.contains("f 1//1 3//3 2//2\n"))
    #expect(
      text.contains("mtllib scan.mtl\n") && OBJFiles.ofScan.materials(isTextured: false).contains("newmtl surface\n"))
  }

  @Test func `a USDZ file is a stored archive with 64-byte alignment`() throws {
    let bytes = try MeshFormat.usdz.bytes(of: mesh)
    #expect(number(bytes, 0) == 0x0403_4B50)
    let start = 30 + (number(bytes, 26) & 0xFFFF) + (number(bytes, 26) >> 16)
    #expect(start % 64 == 0)
    let length = number(bytes, 18)
    let layer = bytes[start..<(start + length)]
    #expect(layer.starts(with: Array("#usda 1.0\n".utf8)))
    #expect(number(bytes, 14) == Int(CRC32.of(Array(layer)[...])))
    #expect(String(decoding: layer, as: UTF8.self).contains("metersPerUnit = 1\n"))
  }
}
