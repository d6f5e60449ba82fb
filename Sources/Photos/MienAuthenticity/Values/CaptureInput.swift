public import MienImaging
public import MienCore

/// What a capture brings to the checks: a picture, and perhaps depth and a burst.
public struct CaptureInput: Sendable {
  public var image: SampledImage
  /// Depth of the same scene; its `face` is not used.
  public var depth: CaptureDepthMap?
  /// Frames of a short burst or of the preview, in the order of time; empty when there is none.
  public var burst: [BurstFrame]
  /// Tiles of the picture that were measured while it was being read. Results are the same with and without.
  public var tiles: [TileMeasurement] = []

  public init(image: SampledImage, depth: CaptureDepthMap? = nil, burst: [BurstFrame] = []) {
    self.image = image
    self.depth = depth
    self.burst = burst
  }

  /// A capture with a whole picture, of which is taken what the checks look at.
  public init(image: YCbCrImage, depth: CaptureDepthMap? = nil, burst: [BurstFrame] = []) {
    self.init(image: SampledImage(image), depth: depth, burst: burst)
  }
}

/// A depth map of a scene in metres, upright as the picture lies in its file.
public struct CaptureDepthMap: Sendable {
  public let width: Int
  public let height: Int
  /// Row by row; what is not a positive finite number is no measurement.
  public let meters: [Float]

  /// Refuses (nil) sizes that do not fit, empty maps and maps above 4096 × 4096.
  public init?(width: Int, height: Int, meters: [Float]) {
    guard (1...4096).contains(width), (1...4096).contains(height), meters.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.meters = meters
  }

  /// A map of whole steps, 0 = no measurement; 1000 micrometres a step for millimetres.
  public init?(width: Int, height: Int, samples: [UInt16], micrometersPerStep: Int) {
    guard (1...1_000_000).contains(micrometersPerStep) else { return nil }
    let step = Float(micrometersPerStep) / 1_000_000
    self.init(width: width, height: height, meters: samples.map { $0 == 0 ? .nan : Float($0) * step })
  }
}

/// One frame of a burst: luma, and when it was taken, where somebody says so.
public struct BurstFrame: Sendable {
  public var luma: Plane
  public var at: MonotonicInstant?

  public init(luma: Plane, at: MonotonicInstant?) {
    self.luma = luma
    self.at = at
  }

  /// A plane made small by a whole factor until it has about two million samples at most, so that many frames fit into
  /// memory. What was small enough is returned as it is.
  public static func small(_ luma: Plane) -> Plane {
    var factor = 1
    while luma.width * luma.height > factor * factor << 21 { factor += 1 }
    let short = min(luma.width, luma.height)
    guard factor > 1, short >= factor else { return luma }
    return luma.reduced(by: short / (short / factor))
  }
}

extension CaptureDepthMap: CustomStringConvertible, CustomReflectable {
  public var description: String { "SceneDepth(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
