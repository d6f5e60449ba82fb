internal import MienDepth
internal import MienCore

/// How large the pictures are that intrinsics belong to, where a recording does not say it.
struct VideoDimensions: Hashable {
  let width: Double
  let height: Double

  /// What phones film with a depth camera at work, the most usual first.
  private static let usual = [
    VideoDimensions(width: 1920, height: 1440), VideoDimensions(width: 1920, height: 1080),
    VideoDimensions(width: 1280, height: 960),
    VideoDimensions(width: 1280, height: 720), VideoDimensions(width: 3840, height: 2160),
    VideoDimensions(width: 4032, height: 3024),
    VideoDimensions(width: 1024, height: 768), VideoDimensions(width: 960, height: 720),
    VideoDimensions(width: 640, height: 480),
    VideoDimensions(width: 256, height: 192),
  ]

  /// Of a picture.
  private static let sides = 1.0...20_000.0

  /// By the camera's principal point, which lies near the middle.
  ///
  /// - Parameter isUpright: true when the depth maps are higher than wide.
  /// - Returns: the size, and whether it is another than the usual one; nil when no picture has its middle there.
  static func of(_ camera: PinholeIntrinsics, isUpright: Bool) -> (size: VideoDimensions, isGuess: Bool)? {
    let all = usual.map { isUpright ? VideoDimensions(width: $0.height, height: $0.width) : $0 }
    let middle = Self.middle(of: camera)
    if all[0].hasMiddle(of: camera) { return (all[0], false) }
    if let nearest = all.min(by: { $0.distance(from: middle) < $1.distance(from: middle) }),
      nearest.distance(from: middle) <= 0.04
    {
      return (nearest, true)
    }
    guard sides.contains(middle.width), sides.contains(middle.height) else { return nil }
    return (VideoDimensions(width: middle.width.rounded(), height: middle.height.rounded()), true)
  }

  /// The size that has a camera's principal point in its middle.
  private static func middle(of camera: PinholeIntrinsics) -> VideoDimensions {
    VideoDimensions(width: 2 * (Double(camera.cx) + 0.5), height: 2 * (Double(camera.cy) + 0.5))
  }

  /// Whether a camera's principal point lies about in its middle: lenses sit some hundredths beside it; the other shapes of films are a
  /// quarter off.
  func hasMiddle(of camera: PinholeIntrinsics) -> Bool { distance(from: Self.middle(of: camera)) <= 0.2 }

  /// The larger of how far the sides are from another's, in parts of that one's.
  private func distance(from other: VideoDimensions) -> Double {
    max(abs(width / other.width - 1), abs(height / other.height - 1))
  }

  var words: String { "\(Int(width))×\(Int(height))" }
}
