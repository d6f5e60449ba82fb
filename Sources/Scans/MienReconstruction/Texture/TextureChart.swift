internal import MienImaging

/// Chart of the texture: connected triangles textured by the same image, or triangles without an image that face the
/// same axis.
struct TextureChart {
  /// Image number, or −1…−6 (``ViewSelector/labels``).
  let label: Int32
  /// Triangles of the mesh, and their texture vertex indices.
  var faces: ContiguousArray<(face: Int32, corners: SIMD3<UInt32>)> = []
  /// Bounding box of the texture vertices in source units: pixels of the image, or meters without an image.
  var least = SIMD2<Float>(repeating: .infinity)
  var most = SIMD2<Float>(repeating: -.infinity)
  /// Texture pixels per source unit.
  var scale: Float = 1
  /// First pixel of the box at this scale, and its position in the texture.
  var origin = SIMD2<Int>(0, 0)
  var corner = SIMD2<Int>(0, 0)
  /// Columns and rows of the box.
  var size = SIMD2<Int>(0, 0)

  /// Border around the texture vertices, in pixels.
  static let margin = 2

  var isPhotographed: Bool { label >= 0 }

  init(label: Int32) { self.label = label }

  /// Computes the box for a scale.
  mutating func lay(out scale: Float) {
    self.scale = scale
    let (first, last) = (scaled(least), scaled(most))
    origin = SIMD2(Int(first.x.rounded(.down)) - Self.margin, Int(first.y.rounded(.down)) - Self.margin)
    size = SIMD2(Int(last.x.rounded(.up)) + Self.margin + 1, Int(last.y.rounded(.up)) + Self.margin + 1) &- origin
  }

  /// Scales a position of the image, preserving pixel corners instead of pixel centers.
  private func scaled(_ place: SIMD2<Float>) -> SIMD2<Float> { (place + 0.5) * scale - 0.5 }

  /// Returns the texture position of an image position, in pixels.
  func inTexture(_ place: SIMD2<Float>) -> SIMD2<Float> {
    scaled(place) + SIMD2(Float(corner.x - origin.x), Float(corner.y - origin.y))
  }

  /// Returns the image position of a texture pixel.
  func inImage(x: Int, y: Int) -> SIMD2<Float> {
    let at = SIMD2(Float(x - corner.x + origin.x), Float(y - corner.y + origin.y))
    return (at + 0.5) / scale - 0.5
  }
}

/// Packs boxes into a rectangle: tallest first, in rows from left to right.
enum ShelfPacking {
  /// Returns the upper-left corners of the boxes and the number of pixel rows used; nil if they do not fit.
  static func place(_ boxes: [SIMD2<Int>], width: Int, height: Int) -> (corners: [SIMD2<Int>], rows: Int)? {
    var corners = [SIMD2<Int>](repeating: SIMD2(0, 0), count: boxes.count)
    let order = boxes.indices.sorted { (boxes[$1].y, boxes[$1].x, $0) < (boxes[$0].y, boxes[$0].x, $1) }
    var (x, y, rowHeight) = (0, 0, 0)
    for box in order {
      let size = boxes[box]
      guard size.x <= width, size.y <= height else { return nil }
      if x + size.x > width {
        (x, y, rowHeight) = (0, y + rowHeight, 0)
      }
      guard y + size.y <= height else { return nil }
      corners[box] = SIMD2(x, y)
      x += size.x
      rowHeight = max(rowHeight, size.y)
    }
    return (corners, y + rowHeight)
  }
}
