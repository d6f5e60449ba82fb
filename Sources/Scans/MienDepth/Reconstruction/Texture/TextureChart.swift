import MienImaging

/// A piece of the texture: connected triangles that one picture shows, or that none shows and that look the same way.
struct TextureChart {
  /// The picture, or −1…−6 (``ViewSelector/labels``).
  let label: Int32
  /// The triangles of the mesh, and their corners as numbers of places.
  var faces: ContiguousArray<(face: Int32, corners: SIMD3<UInt32>)> = []
  /// The smallest box around the places, in the picture's own measure: pixels, or metres where there is no picture.
  var least = SIMD2<Float>(repeating: .infinity)
  var most = SIMD2<Float>(repeating: -.infinity)
  /// Pixels of the texture for one of the picture's measure.
  var scale: Float = 1
  /// The first pixel of the box at this scale, and where it lies in the texture.
  var origin = SIMD2<Int>(0, 0)
  var corner = SIMD2<Int>(0, 0)
  /// Columns and rows of the box.
  var size = SIMD2<Int>(0, 0)

  /// Empty pixels around the places.
  static let margin = 2

  var isPhotographed: Bool { label >= 0 }

  init(label: Int32) { self.label = label }

  /// Sets the box for a scale.
  mutating func lay(out scale: Float) {
    self.scale = scale
    let (first, last) = (scaled(least), scaled(most))
    origin = SIMD2(Int(first.x.rounded(.down)) - Self.margin, Int(first.y.rounded(.down)) - Self.margin)
    size = SIMD2(Int(last.x.rounded(.up)) + Self.margin + 1, Int(last.y.rounded(.up)) + Self.margin + 1) &- origin
  }

  /// A place of the picture at the texture's scale; pixels keep their corners and not their middles.
  private func scaled(_ place: SIMD2<Float>) -> SIMD2<Float> { (place + 0.5) * scale - 0.5 }

  /// Where a place of the picture lies in the texture, in pixels.
  func inTexture(_ place: SIMD2<Float>) -> SIMD2<Float> {
    scaled(place) + SIMD2(Float(corner.x - origin.x), Float(corner.y - origin.y))
  }

  /// The place of the picture that lies at a pixel of the texture.
  func inImage(x: Int, y: Int) -> SIMD2<Float> {
    let at = SIMD2(Float(x - corner.x + origin.x), Float(y - corner.y + origin.y))
    return (at + 0.5) / scale - 0.5
  }
}
