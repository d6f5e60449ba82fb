public import MienImaging
public import MienModel

/// What a capture brings to the checks: a picture, and perhaps depth and a burst.
public struct SceneCapture: Sendable {
  public var picture: SampledPicture
  /// Depth of the same scene; its `face` is not used.
  public var depth: SceneDepth?
  /// Frames of a short burst or of the preview, in the order of time; empty when there is none.
  public var burst: [BurstFrame]
  /// Tiles of the picture that were measured while it was being read. Results are the same with and without.
  public var tiles: [TileReading] = []

  public init(picture: SampledPicture, depth: SceneDepth? = nil, burst: [BurstFrame] = []) {
    self.picture = picture
    self.depth = depth
    self.burst = burst
  }

  /// A capture with a whole picture, of which is taken what the checks look at.
  public init(picture: PlanarPicture, depth: SceneDepth? = nil, burst: [BurstFrame] = []) {
    self.init(picture: SampledPicture(picture), depth: depth, burst: burst)
  }
}

/// A depth map of a scene in metres, upright as the picture lies in its file.
public struct SceneDepth: Sendable {
  public let width: Int
  public let height: Int
  /// Row by row; what is not a positive finite number is no measurement.
  public let metres: [Float]

  /// Refuses (nil) sizes that do not fit, empty maps and maps above 4096 × 4096.
  public init?(width: Int, height: Int, metres: [Float]) {
    guard (1...4096).contains(width), (1...4096).contains(height), metres.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.metres = metres
  }

  /// A map of whole steps, 0 = no measurement; 1000 micrometres a step for millimetres.
  public init?(width: Int, height: Int, samples: [UInt16], micrometresPerStep: Int) {
    guard (1...1_000_000).contains(micrometresPerStep) else { return nil }
    let step = Float(micrometresPerStep) / 1_000_000
    self.init(width: width, height: height, metres: samples.map { $0 == 0 ? .nan : Float($0) * step })
  }
}

/// One frame of a burst: luma, and when it was taken, where somebody says so.
public struct BurstFrame: Sendable {
  public var luma: Plane
  public var at: Instant?

  public init(luma: Plane, at: Instant?) {
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

extension SceneDepth: CustomStringConvertible, CustomReflectable {
  public var description: String { "SceneDepth(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
