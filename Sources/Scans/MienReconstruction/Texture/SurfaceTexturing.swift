public import MienCore
public import MienImaging
public import MienScanFormat

/// Computes the vertex colors and the texture of a mesh from images with known cameras.
///
/// All images are analyzed first; those listed by ``painter(_:while:)`` are then supplied again and painted. Only one
/// image is in memory at a time.
public struct SurfaceTexturing: Sendable {
  private let mesh: SurfaceMesh
  private var coloring: VertexColorizer
  private var views: TriangleViewCandidates
  private var cameras: [Int: (camera: PinholeIntrinsics, pose: CameraPose)] = [:]

  public init(_ mesh: SurfaceMesh) {
    self.mesh = mesh
    coloring = VertexColorizer(mesh)
    views = TriangleViewCandidates(count: mesh.triangles.count)
  }

  /// Analyzes an image.
  ///
  /// - Parameters:
  ///   - image: at most 16,384 pixels wide and high; larger images are ignored.
  ///   - number: unique, nonnegative identifier of the image.
  ///   - camera: intrinsics in pixels of the image.
  ///   - pose: the camera's pose in the scan.
  ///   - tolerance: maximum distance of a visible vertex behind the observed surface, in meters; about two voxels.
  public mutating func look(
    at image: Frame, number: Int, camera: PinholeIntrinsics, pose: CameraPose, tolerance: Float
  ) {
    guard number >= 0, number <= Int32.max, cameras[number] == nil, max(image.width, image.height) <= Frame.widest,
      let view = CameraView(
        of: mesh, width: image.width, height: image.height, camera: camera, pose: pose, tolerance: tolerance)
    else { return }
    cameras[number] = (camera, pose)
    coloring.add(image, seen: view)
    var pixels = ContiguousArray<SIMD2<Float>>(repeating: SIMD2(-1, -1), count: mesh.positions.count)
    var isBesideAnEdge = ContiguousArray<Bool>(repeating: false, count: mesh.positions.count)
    var (least, most) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
    for vertex in mesh.positions.indices {
      guard let pixel = view.pixel(of: mesh.positions[vertex]) else { continue }
      pixels[vertex] = pixel
      isBesideAnEdge[vertex] = view.isBesideAnEdge(mesh.positions[vertex])
      (least, most) = (pointwiseMin(least, pixel), pointwiseMax(most, pixel))
    }
    guard least.x < most.x, least.y < most.y else { return }
    // Prefers the sharper of two images from the same position.
    let sharpness = (image.sharpness(x: least.x..<most.x, y: least.y..<most.y) ?? 1).squareRoot()
    for (triangle, corners) in mesh.triangles.enumerated() {
      let (a, b, c) = (pixels[Int(corners.x)], pixels[Int(corners.y)], pixels[Int(corners.z)])
      guard a.x >= 0, b.x >= 0, c.x >= 0 else { continue }
      let normal = mesh.doubleArea(corners)
      let length = dot(normal, normal).squareRoot()
      guard length > 0 else { continue }
      let middle =
        (mesh.positions[Int(corners.x)] + mesh.positions[Int(corners.y)] + mesh.positions[Int(corners.z)]) / 3
      let squareness = view.squareness(normal / length, at: middle)
      guard squareness > 0.1 else { continue }
      let (u, v) = (b - a, c - a)
      var worth = abs(u.x * v.y - u.y * v.x) * squareness * max(sharpness, 0.1)
      if isBesideAnEdge[Int(corners.x)] || isBesideAnEdge[Int(corners.y)] || isBesideAnEdge[Int(corners.z)] {
        worth *= 0.05
      }
      views.offer(Int32(number), worth: worth, of: triangle)
    }
  }

  /// Returns the mesh with vertex colors (``VertexColorizer/colored()``).
  public func colored() -> SurfaceMesh { coloring.colored() }

  /// Returns a painter for the texture; nil if no image shows any of the mesh, or if its charts do not fit into the
  /// texture.
  ///
  /// - Parameters:
  ///   - settings: size of the texture and blending.
  ///   - isWanted: called periodically; returns `false` to cancel with a nil result.
  public func painter(
    _ settings: TextureSettings = TextureSettings(), while isWanted: () -> Bool = { true }
  ) -> TexturePainter? {
    guard views.images.contains(where: { $0[0] >= 0 }) else { return nil }
    let neighbors = TriangleAdjacency(mesh)
    let choice = ViewSelector(mesh, views: views, neighbors: neighbors, settings: settings, while: isWanted)
    guard isWanted() else { return nil }
    return TexturePainter(
      colored(), labels: choice.labels, pieces: ViewSelector.pieces(choice.labels, neighbors), cameras: cameras,
      size: min(max(settings.size, 64), 8192), while: isWanted)
  }
}

extension SurfaceTexturing: CustomStringConvertible, CustomReflectable {
  public var description: String { "SurfaceTexturing(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Parameters of texture generation.
public struct TextureSettings: Hashable, Sendable {
  /// Maximum width and height of the texture image in pixels: 64…8192.
  public var size = 4096
  /// Quality, relative to the best image's (0…1), that a triangle gives up to use the same image as a neighbor. Higher
  /// values result in fewer seams, but less sharpness.
  public var unity: Float = 0.3
  /// Charts with fewer triangles are merged with adjacent charts if the adjacent image covers them.
  public var smallestChart = 24

  public init() {}
}
