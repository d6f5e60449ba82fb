/// The samples of an image that the checks need: tiles and blocks at full scale, and a downscaled copy, in the
/// orientation of the file.
///
/// A twelve-megapixel photo takes about a megabyte.
public struct SampledImage: Sendable {
  /// Width of the image in pixels.
  public let width: Int
  public let height: Int
  public let sampling: SamplingPlan
  /// Tiles in the order of the sampling's corners. Tiles of a color image include the color-difference samples of the
  /// same area, at their own scale.
  public var tiles: [YCbCrImage]
  /// Downscaled luma, averaged over boxes of pixels.
  public var coarse: Plane
  /// Luma of the sampled blocks, 64 samples each.
  public var blocks: ContiguousArray<UInt8>
  /// `true` if the image has color-difference planes.
  public var hasColor: Bool
  /// The transformation that makes the image upright.
  public var orientation: Orientation
  /// The JPEG's luma quantization table, 64 steps in row order; `nil` if the image was not a JPEG.
  public var lumaSteps: [UInt16]?

  /// Creates an image without samples.
  public init(width: Int, height: Int, sampling: SamplingPlan) {
    self.width = width
    self.height = height
    self.sampling = sampling
    tiles = []
    coarse = Plane()
    blocks = []
    hasColor = false
    orientation = .upright
    lumaSteps = nil
  }

  /// Samples a whole image according to `sampling`.
  ///
  /// - Precondition: the sampling's tiles lie inside the image.
  public init(_ image: YCbCrImage, _ sampling: SamplingPlan) {
    self.init(width: image.width, height: image.height, sampling: sampling)
    let size = sampling.tileSize
    tiles = sampling.corners.map { corner in
      var tile = YCbCrImage(luma: image.luma.part(x: corner.x, y: corner.y, width: size, height: size))
      if let color = Self.color(of: image, under: corner, size: size) { (tile.blue, tile.red) = color }
      return tile
    }
    coarse = image.luma.reduced(by: sampling.factor)
    blocks = Self.blocks(of: image.luma, pace: sampling.blockPace)
    hasColor = image.hasColor
    orientation = image.orientation
    lumaSteps = image.lumaSteps
  }

  /// Returns `nil` if there is no color or it does not cover the tile, which only happens in handcrafted images.
  private static func color(of image: YCbCrImage, under corner: SIMD2<Int>, size: Int) -> (Plane, Plane)? {
    guard image.hasColor, image.blue.width == image.red.width, image.blue.height == image.red.height else {
      return nil
    }
    let plane = image.blue
    // Luma pixels per sample of the plane: 1, 2 or 4 in JPEGs.
    let across = max(1, Int((Float(image.width) / Float(plane.width)).rounded()))
    let down = max(1, Int((Float(image.height) / Float(plane.height)).rounded()))
    guard size.isMultiple(of: across), size.isMultiple(of: down), (corner.x + size - 1) / across < plane.width,
      (corner.y + size - 1) / down < plane.height
    else { return nil }
    func part(_ plane: Plane) -> Plane {
      plane.part(x: corner.x / across, y: corner.y / down, width: size / across, height: size / down)
    }
    return (part(image.blue), part(image.red))
  }

  private static func blocks(of luma: Plane, pace: Int) -> ContiguousArray<UInt8> {
    let (columns, rows) = (luma.width / 8, luma.height / 8)
    let samples = luma.samples.span
    var blocks = ContiguousArray<UInt8>()
    blocks.reserveCapacity((columns * rows / pace + 1) * 64)
    for block in stride(from: 0, to: columns * rows, by: pace) {
      let corner = block / columns * 8 * luma.width + block % columns * 8
      for y in 0..<8 {
        for x in 0..<8 { blocks.append(samples[corner + y * luma.width + x]) }
      }
    }
    return blocks
  }
}

extension SampledImage: CustomStringConvertible, CustomReflectable {
  public var description: String { "SampledImage(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The samples taken from an image that is not stored whole.
public struct SamplingPlan: Hashable, Sendable {
  /// Side of the full-scale tiles in pixels: a multiple of 8.
  public let tileSize: Int
  /// Top left corners of the tiles: multiples of 8, each tile inside the image.
  public let corners: [SIMD2<Int>]
  /// Downscaling factor in both directions; 1 = full size.
  public let factor: Int
  /// Of the complete blocks of 8 × 8 pixels, in row-major order from the top left, every `blockPace`th is stored at
  /// full scale.
  public let blockPace: Int

  /// - Precondition: the tiles lie on multiples of 8, and factor and pace are positive.
  public init(tileSize: Int, corners: [SIMD2<Int>], factor: Int, blockPace: Int) {
    precondition(factor > 0 && blockPace > 0, "factor and block pace are positive")
    precondition(
      tileSize.isMultiple(of: 8) && corners.allSatisfy { $0.x.isMultiple(of: 8) && $0.y.isMultiple(of: 8) },
      "tiles lie on blocks")
    self.tileSize = tileSize
    self.corners = corners
    self.factor = factor
    self.blockPace = blockPace
  }

  /// Returns the pixel rows averaged into the row `row` of the downscaled image: a few rows are enough for large boxes,
  /// as the remaining noise is below one gray level.
  public func rows(of row: Int) -> [Int] {
    let count = min(factor, Self.rowsOfBox)
    return (0..<count).map { row * factor + $0 * factor / count }
  }

  /// Maximum number of rows used per box.
  static let rowsOfBox = 4
}
