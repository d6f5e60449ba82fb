public import MienImaging
public import MienCore

/// Input of the checks: an image, and optionally depth and a burst.
public struct CaptureInput: Sendable {
  public var image: SampledImage
  /// Depth of the same scene.
  public var depth: CaptureDepthMap?
  /// Frames of a short burst or of the preview, in chronological order; empty if there are none.
  public var burst: [BurstFrame]
  /// Tiles measured while the image was being decoded. Results are identical with and without them.
  public var tiles: [TileMeasurement] = []
  /// Faces in the image, in the orientation of the file; empty if there are none or if they were not detected.
  public var faces: [FaceBox] = []
  /// Faces in frames of the burst.
  public var burstFaces: [FaceBox] = []
  /// Output of the texture check's network for the image; `nil` without the network, and the check then uses its
  /// measurements alone.
  public var features: TextureFeatures?

  public init(image: SampledImage, depth: CaptureDepthMap? = nil, burst: [BurstFrame] = []) {
    self.image = image
    self.depth = depth
    self.burst = burst
  }

  /// Creates a capture from a whole image, which is sampled for the checks.
  public init(image: YCbCrImage, depth: CaptureDepthMap? = nil, burst: [BurstFrame] = []) {
    self.init(image: SampledImage(image), depth: depth, burst: burst)
  }
}

/// Depth map of a scene in meters, in the orientation of the image file.
public struct CaptureDepthMap: Sendable {
  public let width: Int
  public let height: Int
  /// Depths row by row; values that are not positive and finite mean no measurement.
  public let meters: [Float]
  /// `true` for a map embedded in the image's own file, `false` for one sent as a separate file.
  public let isEmbedded: Bool

  /// Returns nil for sizes that do not match, empty maps and maps above 4096 × 4096.
  public init?(width: Int, height: Int, meters: [Float], isEmbedded: Bool = false) {
    guard (1...4096).contains(width), (1...4096).contains(height), meters.count == width * height else { return nil }
    self.isEmbedded = isEmbedded
    self.width = width
    self.height = height
    self.meters = meters
  }

  /// Creates a map from integer steps, 0 = no measurement; use 1000 micrometers per step for millimeters.
  public init?(width: Int, height: Int, samples: [UInt16], micrometersPerStep: Int) {
    guard (1...1_000_000).contains(micrometersPerStep) else { return nil }
    let step = Float(micrometersPerStep) / 1_000_000
    self.init(width: width, height: height, meters: samples.map { $0 == 0 ? .nan : Float($0) * step })
  }
}

/// One frame of a burst: luma and, if known, its timestamp.
public struct BurstFrame: Sendable {
  public var luma: Plane
  public var at: MonotonicInstant?

  public init(luma: Plane, at: MonotonicInstant?) {
    self.luma = luma
    self.at = at
  }

  /// Downscales a plane by an integer factor to about two million samples at most, to limit the memory of a burst.
  /// Planes that are small enough are returned unchanged.
  public static func small(_ luma: Plane) -> Plane {
    var factor = 1
    while luma.width * luma.height > factor * factor << 21 { factor += 1 }
    let short = min(luma.width, luma.height)
    guard factor > 1, short >= factor else { return luma }
    return luma.reduced(by: short / (short / factor))
  }
}

extension CaptureDepthMap: CustomStringConvertible, CustomReflectable {
  public var description: String { "CaptureDepthMap(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
