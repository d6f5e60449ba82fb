/// One depth map with what is needed to measure in it.
public struct DepthFrame: Sendable {
  public let width: Int
  public let height: Int
  /// Row-major, `width * height` samples, in steps of `micrometresPerStep`; 0 = no measurement.
  public let samples: [UInt16]
  /// What one step of `samples` is worth, in micrometres: 1000 for millimetre maps, 100 for TrueDepth maps of 0.1 mm.
  public let micrometersPerStep: Int
  public let intrinsics: PinholeIntrinsics
  /// Where the face is in the map, as fractions of its size.
  public let face: FaceBox
  public let at: MonotonicInstant

  /// Refuses (nil) maps whose sizes do not fit, that are larger than 4096×4096, or whose numbers are implausible.
  public init?(
    width: Int, height: Int, samples: [UInt16], micrometersPerStep: Int, intrinsics: PinholeIntrinsics, face: FaceBox,
    at: MonotonicInstant
  ) {
    guard (1...4096).contains(width), (1...4096).contains(height), samples.count == width * height,
      (1...1_000_000).contains(micrometersPerStep), intrinsics.isPlausible, face.isPlausible
    else { return nil }
    self.width = width
    self.height = height
    self.samples = samples
    self.micrometersPerStep = micrometersPerStep
    self.intrinsics = intrinsics
    self.face = face
    self.at = at
  }
}

/// A pinhole camera without distortion, in pixels of the map or picture it belongs to.
///
/// Whole numbers are the middles of pixels, as in OpenCV and ARKit: (0, 0) is the middle of the top left one, and the
/// middle of a picture is ((width − 1) / 2, (height − 1) / 2). Where others count from the top left corner, half a pixel
/// is taken away.
public struct PinholeIntrinsics: Hashable, Sendable {
  /// Focal lengths in pixels.
  public var fx: Float
  public var fy: Float
  /// The principal point in pixels, from the middle of the top left one.
  public var cx: Float
  public var cy: Float

  public init(fx: Float, fy: Float, cx: Float, cy: Float) {
    self.fx = fx
    self.fy = fy
    self.cx = cx
    self.cy = cy
  }

  /// True when all values are finite and the focal lengths are positive and below 100 000 pixels.
  public var isPlausible: Bool {
    fx > 0 && fx < 100_000 && fy > 0 && fy < 100_000 && abs(cx) < 100_000 && abs(cy) < 100_000
  }
}

extension DepthFrame: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthFrame(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
