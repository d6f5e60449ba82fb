internal import MienCore
public import MienScanFormat

/// Color video of a recording that has no separate images.
///
/// The video is not decoded here. To use its frames, the caller extracts them to a folder as `N.jpg`, numbered from 0
/// in the video's order, unrotated, and opens the scan again with ``ScanImporter/Hints/videoFrames``.
public struct ScanVideo: Sendable {
  public let name: String
  /// Expected number of video frames, one per frame of the recording.
  public let frames: Int
  private let tree: any FileTree

  init(_ tree: any FileTree, name: String, frames: Int) {
    self.tree = tree
    self.name = name
    self.frames = frames
  }

  /// Returns the video's bytes. A video compressed in an archive is decompressed into memory, at most 256 MB, while the
  /// result is in use.
  ///
  /// - Throws: ``ScanError``.
  public func bytes() throws(ScanError) -> any ByteSource { try tree.pieces(name, limit: ImportLimits.video) }
}

/// Size of the images to which intrinsics apply, for recordings that do not specify it.
struct VideoDimensions: Hashable {
  let width: Double
  let height: Double

  /// Video sizes that phones use while a depth camera is active, most common first.
  private static let usual = [
    VideoDimensions(width: 1920, height: 1440), VideoDimensions(width: 1920, height: 1080),
    VideoDimensions(width: 1280, height: 960),
    VideoDimensions(width: 1280, height: 720), VideoDimensions(width: 3840, height: 2160),
    VideoDimensions(width: 4032, height: 3024),
    VideoDimensions(width: 1024, height: 768), VideoDimensions(width: 960, height: 720),
    VideoDimensions(width: 640, height: 480),
    VideoDimensions(width: 256, height: 192),
  ]

  /// Valid side lengths of an image.
  private static let sides = 1.0...20_000.0

  /// Infers the size from the principal point, which is near the image center.
  ///
  /// - Parameter isUpright: `true` if the depth maps are taller than wide.
  /// - Returns: the size, and `true` if it differs from the default; nil if no valid image size matches.
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

  /// Returns the size of an image with the principal point at its center.
  private static func middle(of camera: PinholeIntrinsics) -> VideoDimensions {
    VideoDimensions(width: 2 * (Double(camera.cx) + 0.5), height: 2 * (Double(camera.cy) + 0.5))
  }

  /// Returns `true` if a principal point is near the center: real lenses are off by a few hundredths, whereas other
  /// video aspect ratios are off by a quarter.
  func hasMiddle(of camera: PinholeIntrinsics) -> Bool { distance(from: Self.middle(of: camera)) <= 0.2 }

  /// Returns the larger relative difference of the sides from another size.
  private func distance(from other: VideoDimensions) -> Double {
    max(abs(width / other.width - 1), abs(height / other.height - 1))
  }

  var words: String { "\(Int(width))×\(Int(height))" }
}
