import MienImaging
import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction
import MienArchive

@Suite struct `Textures` {
  /// Sphere of 10 cm radius around the origin, with triangles of about one centimeter.
  private static let ball: SurfaceMesh = {
    guard var volume = VoxelVolume(voxel: 0.01) else { return SurfaceMesh() }
    try? volume.fill(reach: 0.16) { dot($0, $0).squareRoot() - 0.1 }
    return (try? volume.surface()) ?? SurfaceMesh()
  }()
  private static let camera = PinholeIntrinsics(fx: 500, fy: 500, cx: 199.5, cy: 149.5)
  private static let magenta = Pixel(red: 255, green: 0, blue: 255)

  /// Returns stripes of 4 mm, finer than the triangles, on a slowly varying background.
  private static func paint(_ place: SIMD3<Float>) -> SIMD3<Float> {
    let phase = place.y / 0.004
    let wave = abs(phase - phase.rounded(.down) - 0.5) * 2  // 0…1 and back
    return SIMD3(90 + 400 * place.x, 100 + 60 * wave, 90 + 400 * place.z)
  }

  /// Renders a camera's view of a painted mesh, with a magenta background.
  private static func photo(of mesh: SurfaceMesh, from pose: CameraPose, light: Float = 1) throws -> Frame {
    var frame = Frame(width: 400, height: 300, filledWith: magenta)
    let view = try #require(VisibilityMap(mesh, width: 400, height: 300, camera: camera, pose: pose))
    for y in 0..<300 {
      for x in 0..<400 {
        if let place = view.place(x: Float(x), y: Float(y)) { frame[x, y] = Pixel(paint(place) * light) }
      }
    }
    return frame
  }

  private static let around: [SIMD3<Float>] = [
    [0.4, 0, 0.2], [-0.4, 0.1, 0.2], [0, 0, -0.45], [0, 0.45, 0.05], [0, -0.45, 0.05],
  ]

  private static func textured(
    _ places: [SIMD3<Float>], lights: [Float] = [], settings: TextureSettings = TextureSettings()
  ) throws -> (mesh: SurfaceMesh, texture: SurfaceTexture)? {
    var texturing = SurfaceTexturing(ball)
    let photos = try places.enumerated().map { number, place in
      let pose = HeadScene.looking(from: place, at: .zero)
      return (try photo(of: ball, from: pose, light: lights.isEmpty ? 1 : lights[number]), pose)
    }
    for (number, photo) in photos.enumerated() {
      texturing.look(at: photo.0, number: number, camera: camera, pose: photo.1, tolerance: 0.004)
    }
    guard var painter = texturing.painter(settings) else { return nil }
    #expect(painter.images.allSatisfy(photos.indices.contains))
    for number in painter.images { painter.paint(photos[number].0, number: number) }
    return (texturing.colored(), painter.texture())
  }

  /// Returns the mean error of the texture and of the vertex colors at points of all triangles, 0…255.
  private func error(_ mesh: SurfaceMesh, _ texture: SurfaceTexture) -> (texture: Float, vertices: Float) {
    var (sum, plain, count) = (Float.zero, Float.zero, Float.zero)
    for (number, corners) in mesh.triangles.enumerated() {
      for shares: SIMD3<Float> in [[0.4, 0.3, 0.3], [0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.15, 0.7, 0.15]] {
        let place =
          mesh.positions[Int(corners.x)] * shares.x + mesh.positions[Int(corners.y)] * shares.y
          + mesh.positions[Int(corners.z)] * shares.z
        let truth = Self.paint(place)
        let seen = texture.color(at: texture.place(in: number, shares: shares))
        let between =
          mesh.colors[Int(corners.x)].floats * shares.x + mesh.colors[Int(corners.y)].floats * shares.y
          + mesh.colors[Int(corners.z)].floats * shares.z
        sum += abs(seen.y - truth.y)
        plain += abs(between.y - truth.y)
        count += 1
      }
    }
    return (sum / count, plain / count)
  }

  @Test func `stripes finer than the triangles are in the texture and not in the vertex colors`() throws {
    let (mesh, texture) = try #require(try Self.textured(Self.around))
    #expect(texture.photographed > mesh.triangles.count * 97 / 100)
    let off = error(mesh, texture)
    #expect(off.texture < 4 && off.vertices > 12, "\(off)")
  }

  @Test func `every triangle corner has texture coordinates inside the image`() throws {
    let (mesh, texture) = try #require(try Self.textured(Self.around))
    #expect(texture.coordinates.count == texture.vertices.count && texture.triangles.count == mesh.triangles.count)
    for (corners, places) in zip(mesh.triangles, texture.triangles) {
      for corner in 0..<3 { #expect(texture.vertices[Int(places[corner])] == corners[corner]) }
    }
    #expect(texture.coordinates.allSatisfy { $0.x > 0 && $0.y > 0 && $0.x < 1 && $0.y < 1 })
    // A few large charts: only the vertices at seams are duplicated.
    #expect(texture.vertices.count < mesh.positions.count * 3 / 2)
  }

  @Test func `the background is not in the texture`() throws {
    let (_, texture) = try #require(try Self.textured(Self.around))
    let capacity = texture.image.pixels.count { $0.green < 20 && $0.red > 200 && $0.blue > 200 }
    #expect(capacity < texture.image.pixels.count / 500, "\(capacity) of \(texture.image.pixels.count)")
  }

  @Test func `photos with different lighting blend without a seam`() throws {
    let lights: [Float] = [1, 0.7, 1.15, 0.85, 1]
    let (mesh, texture) = try #require(try Self.textured(Self.around, lights: lights))
    var first: [UInt32: SIMD3<Float>] = [:]
    var (steps, count) = (Float.zero, Float.zero)
    for (place, vertex) in zip(texture.coordinates, texture.vertices) {
      let color = texture.color(at: place)
      guard let other = first[vertex] else {
        first[vertex] = color
        continue
      }
      steps += abs(color.y - other.y)
      count += 1
    }
    #expect(count > 50)
    // Compared with a mean of 110, and a difference of a third before the adjustment.
    #expect(steps / count < 5, "\(steps / count)")
    #expect(texture.photographed <= mesh.triangles.count)
  }

  @Test func `areas without a photo take their neighbors' colors`() throws {
    let (mesh, texture) = try #require(try Self.textured([[0, 0, 0.45]]))
    #expect(texture.photographed > mesh.triangles.count / 4 && texture.photographed < mesh.triangles.count / 2)
    for number in mesh.triangles.indices {
      let color = texture.color(at: texture.place(in: number, shares: SIMD3(repeating: 1 / 3)))
      #expect(color.min() > 20 && color.max() < 230, "\(color)")
    }
  }

  @Test func `a smaller texture contains all pieces`() throws {
    var settings = TextureSettings()
    for size in [128, 300] {
      settings.size = size
      let (mesh, texture) = try #require(try Self.textured(Self.around, settings: settings))
      #expect(texture.image.width <= size && texture.image.height <= size)
      #expect(error(mesh, texture).texture < (size == 128 ? 25 : 12))
    }
  }

  @Test func `texturing is deterministic and needs images that see the surface`() throws {
    let (one, other) = (try Self.textured(Self.around), try Self.textured(Self.around))
    #expect(one?.texture.image.pixels == other?.texture.image.pixels)
    #expect(one?.texture.coordinates == other?.texture.coordinates)
    #expect(try Self.textured([]) == nil)
    // A camera that faces away sees nothing.
    var texturing = SurfaceTexturing(Self.ball)
    texturing.look(
      at: Frame(width: 400, height: 300), number: 0, camera: Self.camera,
      pose: HeadScene.looking(from: [0, 0, 0.45], at: [0, 0, 2]), tolerance: 0.004)
    #expect(texturing.painter() == nil)
  }

  @Test func `canceled texturing gives no painter`() throws {
    var texturing = SurfaceTexturing(Self.ball)
    let pose = HeadScene.looking(from: [0, 0, 0.45], at: .zero)
    texturing.look(
      at: try Self.photo(of: Self.ball, from: pose), number: 0, camera: Self.camera, pose: pose, tolerance: 0.004)
    #expect(texturing.painter(while: { false }) == nil)
    #expect(texturing.painter(while: { true }) != nil)
  }

  @Test func `overlapping images share their exposure difference`() throws {
    var colors: ContiguousArray<SIMD3<Float>> = []
    var (vertices, labels): (ContiguousArray<UInt32>, ContiguousArray<Int32>) = ([], [])
    // Image 5 is half as bright as 2 and 9, and shares 200 vertices with each.
    for vertex in 0..<400 as Range<UInt32> {
      for (label, light) in [(5, 50), (vertex < 200 ? 2 : 9, 100)] as [(Int32, Float)] {
        colors.append(SIMD3(repeating: light))
        vertices.append(vertex)
        labels.append(label)
      }
    }
    let gains = SeamColorAdjuster(colors: colors, vertices: vertices, labels: labels, charts: []).gains
    // Least squares with a weight of 20 on the unit gain: 2 to the power of 400 / 620 and of −200 / 620.
    for (image, gain) in [(5, 1.56391), (2, 0.79964), (9, 0.79964)] as [(Int32, Float)] {
      let found = try #require(gains[image])
      #expect(abs(found.min() - gain) < 1e-3 && abs(found.max() - gain) < 1e-3)
    }
    #expect(gains.count == 3)
  }

  @Test func `samples at and beyond the border of a long image have its colors`() {
    // From 32,768 on, the precision does not suffice to distinguish a pixel's edge from its center.
    for size in [(40_000, 2), (2, 40_000), (16_384, 3), (2, 2)] {
      let frame = Frame(width: size.0, height: size.1, filledWith: Pixel(red: 9, green: 8, blue: 7))
      for place: SIMD2<Float> in [
        [Float(size.0), Float(size.1)], [Float(size.0) - 1, Float(size.1) - 1], [-5, -5], [1e9, -1e9],
      ] {
        #expect(frame.mean(at: place, side: 3, taps: 3) == [9, 8, 7])
      }
    }
    var texturing = SurfaceTexturing(Self.ball)
    texturing.look(
      at: Frame(width: 40_000, height: 400), number: 0, camera: Self.camera,
      pose: HeadScene.looking(from: [0, 0, 0.45], at: .zero), tolerance: 0.004)
    #expect(texturing.painter() == nil && texturing.colored().colors.isEmpty)
  }

  @Test func `packed boxes do not touch each other`() throws {
    var state: UInt64 = 7
    func random(_ most: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + Int(state >> 33) % most
    }
    for _ in 0..<50 {
      let boxes = (0..<random(60)).map { _ in SIMD2(random(40), random(40)) }
      guard let placed = ShelfPacking.place(boxes, width: 128, height: 512) else { continue }
      var owner = [Int](repeating: -1, count: 128 * 512)
      for (number, box) in boxes.enumerated() {
        for y in 0..<box.y {
          for x in 0..<box.x {
            let at = (placed.corners[number].y + y) * 128 + placed.corners[number].x + x
            #expect(owner[at] == -1)
            owner[at] = number
          }
        }
      }
    }
    #expect(ShelfPacking.place([SIMD2(129, 1)], width: 128, height: 512) == nil)
    #expect(ShelfPacking.place([SIMD2(128, 300), SIMD2(128, 300)], width: 128, height: 512) == nil)
  }
}

@Suite struct `Mesh files with textures` {
  private let mesh: SurfaceMesh
  private let skin: EncodedTexture

  init() throws {
    mesh = try #require(
      SurfaceMesh(
        positions: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], triangles: [[0, 1, 2], [0, 2, 3]]))
    let texture = SurfaceTexture(
      image: Frame(width: 4, height: 4),
      coordinates: [[0, 0.25], [0.5, 0], [0.5, 0.5], [0.5, 1], [1, 1], [1, 0.5]],
      vertices: [0, 1, 2, 0, 2, 3], triangles: [[0, 1, 2], [3, 4, 5]], photographed: 2)
    skin = EncodedTexture(texture, jpeg: [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9])
  }

  private func number(_ bytes: ContiguousArray<UInt8>, _ at: Int) -> Int {
    Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 24
  }

  @Test func `a GLB has a vertex per texture coordinate and embeds the image`() throws {
    let bytes = try MeshFormat.glb.bytes(of: mesh, texture: skin)
    let json = number(bytes, 12)
    let text = String(decoding: bytes[20..<(20 + json)], as: UTF8.self)
    #expect(text.contains(#""baseColorTexture":{"index":0}"#) && text.contains(#""TEXCOORD_0":3"#))
    #expect(text.contains(#""count":6,"type":"VEC2""#) && text.contains(#""count":6,"type":"VEC3""#))
    #expect(!text.contains("COLOR_0"))
    let buffer = number(bytes, 20 + json)
    #expect(buffer % 4 == 0 && 28 + json + buffer == bytes.count)
    // Positions, normals, triangle corners and texture coordinates of six vertices, then the image.
    let start = 28 + json + 6 * 12 + 6 * 12 + 2 * 12 + 6 * 8
    #expect(ContiguousArray(bytes[start..<(start + 7)]) == skin.jpeg)
    #expect(text.contains(#""byteOffset":\#(start - 28 - json),"byteLength":7}"#))
  }

  @Test func `an OBJ keeps its vertices and names the image`() throws {
    let text = String(decoding: try MeshFormat.obj.bytes(of: mesh, texture: skin), as: UTF8.self)
    #expect(text.contains("vt 0.0 0.75\n") && text.contains("f 1/1/1 2/2/2 3/3/3\n"))
    #expect(text.contains("f 1/4/1 3/5/3 4/6/4\n"))
    #expect(OBJFiles.ofScan.materials(isTextured: true).contains("map_Kd scan.jpg\n"))
  }

  @Test func `a USDZ contains the layer and the image with 64-byte alignment`() throws {
    let bytes = try MeshFormat.usdz.bytes(of: mesh, texture: skin)
    var (at, names) = (0, [String]())
    while number(bytes, at) == 0x0403_4B50 {
      let (name, extra) = (number(bytes, at + 26) & 0xFFFF, number(bytes, at + 26) >> 16)
      let start = at + 30 + name + extra
      #expect(start % 64 == 0)
      names.append(String(decoding: bytes[(at + 30)..<(at + 30 + name)], as: UTF8.self))
      let contents = Array(bytes[start..<(start + number(bytes, at + 18))])
      #expect(number(bytes, at + 14) == Int(CRC32.of(contents[...])))
      if names.count == 2 { #expect(ContiguousArray(contents) == skin.jpeg) }
      if names.count == 1 {
        let layer = String(decoding: contents, as: UTF8.self)
        #expect(layer.contains("@scan.jpg@") && layer.contains("primvars:st:indices = [0,1,2,3,4,5]"))
      }
      at = start + contents.count
    }
    #expect(names == ["scan.usda", "scan.jpg"])
  }
}

extension SIMD3<UInt8> {
  fileprivate var floats: SIMD3<Float> { SIMD3<Float>(Float(x), Float(y), Float(z)) }
}
