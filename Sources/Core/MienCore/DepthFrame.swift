/// A depth map with the camera intrinsics and face position needed to measure in it.
public struct DepthFrame: Sendable {
  public let width: Int
  public let height: Int
  /// Row-major, `width * height` samples, in steps of ``micrometersPerStep``; 0 = no measurement.
  public let samples: [UInt16]
  /// Size of one step of `samples` in micrometers: 1000 for millimeter maps, 100 for TrueDepth maps in steps of 0.1 mm.
  public let micrometersPerStep: Int
  public let intrinsics: PinholeIntrinsics
  /// Position of the face in the map, as fractions of the map's size.
  public let face: FaceBox
  public let at: MonotonicInstant

  /// Returns `nil` if the number of samples does not match the size, the map is larger than 4096×4096, or a value is
  /// implausible.
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

/// A pinhole camera without distortion, in pixels of the map or image it belongs to.
///
/// Integer coordinates are pixel centers, as in OpenCV and ARKit: (0, 0) is the center of the top left pixel, and the
/// center of an image is ((width − 1) / 2, (height − 1) / 2). For sources that measure from the top left corner, half a
/// pixel is subtracted.
public struct PinholeIntrinsics: Hashable, Sendable {
  /// Focal lengths in pixels.
  public var fx: Float
  public var fy: Float
  /// Principal point in pixels, measured from the center of the top left pixel.
  public var cx: Float
  public var cy: Float

  public init(fx: Float, fy: Float, cx: Float, cy: Float) {
    self.fx = fx
    self.fy = fy
    self.cx = cx
    self.cy = cy
  }

  /// `true` if all values are finite and the focal lengths are positive and below 100,000 pixels.
  public var isPlausible: Bool {
    fx > 0 && fx < 100_000 && fy > 0 && fy < 100_000 && abs(cx) < 100_000 && abs(cy) < 100_000
  }
}

extension DepthFrame: CustomStringConvertible, CustomReflectable {
  public var description: String { "DepthFrame(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
