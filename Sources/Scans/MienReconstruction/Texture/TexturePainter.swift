internal import MienCore
public import MienImaging
internal import MienScanFormat

/// Paints the texture of a mesh, image by image.
///
/// Copies only the pixels covered by the mesh's triangles, plus one pixel around them, so that the background is not
/// included.
public struct TexturePainter: Sendable {
  private let mesh: SurfaceMesh
  private var charts: [TextureChart] = []
  /// Mesh vertex of each texture vertex, and its position in the chart's source image.
  private var vertices: ContiguousArray<UInt32> = []
  private var places: ContiguousArray<SIMD2<Float>> = []
  private var labels: ContiguousArray<Int32> = []
  private var colors: ContiguousArray<SIMD3<Float>>
  private var image = Frame()
  private var isPainted: ContiguousArray<Bool> = []

  /// Numbers of the images to paint, without duplicates.
  public var images: [Int] { Set(charts.lazy.filter(\.isPhotographed).map { Int($0.label) }).sorted() }

  init?(
    _ mesh: SurfaceMesh, labels chosen: ContiguousArray<Int32>, pieces: ViewSelector.Pieces,
    cameras: [Int: (camera: PinholeIntrinsics, pose: CameraPose)], size: Int,
    while isWanted: () -> Bool = { true }
  ) {
    self.mesh = mesh
    colors = []
    // Groups the triangles by chart.
    let order = chosen.indices.sorted { (pieces.numbers[$0], $0) < (pieces.numbers[$1], $1) }
    var places = ContiguousArray<(piece: Int32, place: UInt32)>(repeating: (-1, 0), count: mesh.positions.count)
    for face in order {
      let piece = pieces.numbers[face]
      if charts.count <= Int(piece) { charts.append(TextureChart(label: chosen[face])) }
      var corners = SIMD3<UInt32>.zero
      for corner in 0..<3 {
        let vertex = Int(mesh.triangles[face][corner])
        if places[vertex].piece != piece {
          let position = mesh.positions[vertex]
          let place: SIMD2<Float>
          if chosen[face] >= 0 {
            guard let known = cameras[Int(chosen[face])],
              let pixel = known.camera.pixel(of: known.pose.camera(position))
            else { return nil }
            place = pixel
          } else {
            place = Self.flat(position, label: chosen[face])
          }
          places[vertex] = (piece, UInt32(vertices.count))
          vertices.append(UInt32(vertex))
          self.places.append(place)
          labels.append(chosen[face])
          charts[Int(piece)].least = pointwiseMin(charts[Int(piece)].least, place)
          charts[Int(piece)].most = pointwiseMax(charts[Int(piece)].most, place)
        }
        corners[corner] = places[vertex].place
      }
      charts[Int(piece)].faces.append((Int32(face), corners))
    }
    guard layOut(size, while: isWanted) else { return nil }
    colors = ContiguousArray(
      vertices.map { mesh.colors.isEmpty ? SIMD3(repeating: 128) : SIMD3<Float>(mesh.colors[Int($0)]) })
    for chart in charts where !chart.isPhotographed { paint(chart) { _, vertexColor in vertexColor } }
  }

  /// Returns a position projected along the axis of a label, in meters.
  private static func flat(_ position: SIMD3<Float>, label: Int32) -> SIMD2<Float> {
    switch (-1 - label) / 2 {
    case 0: SIMD2(position.z, position.y)
    case 1: SIMD2(position.x, position.z)
    default: SIMD2(position.x, position.y)
    }
  }

  /// Packs all charts at the largest scale at which they fit.
  private mutating func layOut(_ size: Int, while isWanted: () -> Bool) -> Bool {
    // Triangles without a photo get about one pixel for one or two triangles, because they contain no more than the
    // vertex colors.
    let edge = Float((2.3 * mesh.area / Double(max(mesh.triangles.count, 1))).squareRoot())
    let density = 1.5 / max(edge, 1e-5)
    var scale: Float = 1
    while scale > 0.01, isWanted() {
      var (pixels, widest) = (0, 64)
      for chart in charts.indices {
        charts[chart].lay(out: charts[chart].isPhotographed ? scale : scale * density)
        pixels += charts[chart].size.x * charts[chart].size.y
        widest = max(widest, charts[chart].size.x)
      }
      if pixels <= size * size, widest <= size {
        let boxes = charts.map(\.size)
        var width = 64
        while width < size, width * width < pixels || width < widest { width *= 2 }
        for width in [min(width, size), size] {
          guard let placed = ShelfPacking.place(boxes, width: width, height: size) else { continue }
          for chart in charts.indices { charts[chart].corner = placed.corners[chart] }
          image = Frame(width: width, height: max(placed.rows, 1))
          isPainted = ContiguousArray(repeating: false, count: image.width * image.height)
          return true
        }
      }
      scale *= pixels > 0 ? min(0.9, max(0.3, Float(size) / Float(pixels).squareRoot())) : 0.9
    }
    return false
  }

  /// Paints the charts textured by an image.
  ///
  /// - Parameters:
  ///   - photo: the image, as passed to ``SurfaceTexturing/look(at:number:camera:pose:tolerance:)``.
  ///   - number: number of the image, as passed to ``SurfaceTexturing/look(at:number:camera:pose:tolerance:)``.
  public mutating func paint(_ photo: Frame, number: Int) {
    guard photo.width > 1, photo.height > 1 else { return }
    for chart in charts where chart.label == Int32(truncatingIfNeeded: number) && chart.isPhotographed {
      // A texture pixel is the mean of the photo pixels it covers.
      let taps = min(8, max(1, Int((1 / chart.scale - 0.001).rounded(.up))))
      paint(chart) { place, _ in photo.mean(at: place, side: 1 / chart.scale, taps: taps) }
      for (_, corners) in chart.faces {
        for corner in 0..<3 {
          let place = Int(corners[corner])
          colors[place] = photo.mean(at: places[place], side: 3 / chart.scale, taps: max(3, taps))
        }
      }
    }
  }

  /// Paints a chart; `color` receives the position in the source image and the color interpolated from the triangle's
  /// vertices.
  private mutating func paint(
    _ chart: TextureChart, _ color: (SIMD2<Float>, SIMD3<Float>) -> SIMD3<Float>
  ) {
    let size = SIMD2(image.width, image.height)
    for (_, corners) in chart.faces {
      let (a, b, c) = (Int(corners.x), Int(corners.y), Int(corners.z))
      TriangleRasterizer.visit(
        chart.inTexture(places[a]), chart.inTexture(places[b]), chart.inTexture(places[c]), rim: 1, within: size
      ) { x, y, shares in
        guard !isPainted[y * size.x + x] else { return }
        let between = colors[a] * shares.x + colors[b] * shares.y + colors[c] * shares.z
        image[x, y] = Pixel(color(chart.inImage(x: x, y: y), between))
        isPainted[y * size.x + x] = true
      }
    }
  }

  /// Returns the texture with adjusted seams.
  ///
  /// - Parameter isWanted: called periodically; returns `false` to stop adjusting the seams.
  public func texture(while isWanted: () -> Bool = { true }) -> SurfaceTexture {
    var image = image
    let levels = SeamColorAdjuster(colors: colors, vertices: vertices, labels: labels, charts: charts, while: isWanted)
    let size = SIMD2(image.width, image.height)
    var triangles = ContiguousArray<SIMD3<UInt32>>(repeating: .zero, count: mesh.triangles.count)
    var coordinates = ContiguousArray<SIMD2<Float>>(repeating: .zero, count: places.count)
    for chart in charts {
      for (face, corners) in chart.faces {
        triangles[Int(face)] = corners
        let (a, b, c) = (Int(corners.x), Int(corners.y), Int(corners.z))
        let (p, q, r) = (chart.inTexture(places[a]), chart.inTexture(places[b]), chart.inTexture(places[c]))
        for (place, at) in [(a, p), (b, q), (c, r)] {
          coordinates[place] = (at + 0.5) / SIMD2(Float(size.x), Float(size.y))
        }
        TriangleRasterizer.visit(p, q, r, rim: 1, within: size) { x, y, shares in
          let offset =
            levels.offsets[a] * shares.x + levels.offsets[b] * shares.y + levels.offsets[c] * shares.z
          // Uses the original painted image, not pixels already modified by an adjacent triangle.
          image[x, y] = Pixel(levels.lit(self.image[x, y].channels, chart.label) + offset)
        }
      }
    }
    fillUnusedPixels(&image)
    return SurfaceTexture(
      image: image, coordinates: coordinates, vertices: vertices, triangles: triangles,
      photographed: charts.reduce(0) { $0 + ($1.isPhotographed ? $1.faces.count : 0) })
  }

  /// Fills unused pixels with the mean color, so that downscaled versions of the texture have no dark seams.
  private func fillUnusedPixels(_ image: inout Frame) {
    var (sum, count) = (SIMD3<Double>.zero, 0.0)
    for index in isPainted.indices where isPainted[index] {
      sum += SIMD3<Double>(image.pixels[index].channels)
      count += 1
    }
    let mean = Pixel(SIMD3<Float>(sum / max(count, 1)))
    image.writePixels { pixels in
      for index in isPainted.indices where !isPainted[index] { pixels[index] = mean }
    }
  }
}

extension TexturePainter: CustomStringConvertible, CustomReflectable {
  public var description: String { "TexturePainter(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Rasterizes a triangle with a border around it.
enum TriangleRasterizer {
  /// Calls `visit` for each pixel whose center is in the triangle or less than `rim` pixels outside its edges, with its
  /// barycentric coordinates; those of border pixels belong to the nearest point on the edges.
  static func visit(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, rim: Float, within size: SIMD2<Int>,
    _ visit: (_ x: Int, _ y: Int, _ shares: SIMD3<Float>) -> Void
  ) {
    let least = pointwiseMin(a, pointwiseMin(b, c)) - rim
    let most = pointwiseMax(a, pointwiseMax(b, c)) + rim
    let (left, right) = (max(0, Int(least.x.rounded(.up))), min(size.x - 1, Int(most.x.rounded(.down))))
    let (top, bottom) = (max(0, Int(least.y.rounded(.up))), min(size.y - 1, Int(most.y.rounded(.down))))
    guard left <= right, top <= bottom else { return }
    let area = cross(b - a, c - a)
    // Decrease of a barycentric coordinate per pixel of distance from the edge opposite the corner.
    func slack(_ p: SIMD2<Float>, _ q: SIMD2<Float>) -> Float {
      let edge = q - p
      return rim * (edge * edge).sum().squareRoot() / max(abs(area), 1e-6)
    }
    let allowed = SIMD3(slack(b, c), slack(c, a), slack(a, b))
    let isFlat = abs(area) < 1e-6
    for y in top...bottom {
      for x in left...right {
        let p = SIMD2(Float(x), Float(y))
        var shares = SIMD3<Float>(repeating: 1 / 3)
        if !isFlat {
          shares = SIMD3(cross(b - p, c - p), cross(c - p, a - p), cross(a - p, b - p)) / area
          guard shares.x >= -allowed.x, shares.y >= -allowed.y, shares.z >= -allowed.z else { continue }
          shares = pointwiseMax(shares, .zero)
          shares /= shares.sum()
        }
        visit(x, y, shares)
      }
    }
  }

  private static func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float { a.x * b.y - a.y * b.x }
}
