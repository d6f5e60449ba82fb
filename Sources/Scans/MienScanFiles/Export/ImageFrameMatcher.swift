internal import MienScanFormat
internal import MienCore

/// Matches images to frames, for formats with one camera and one timestamp for both.
struct ImageFrameMatcher: Sendable {
  /// Frame that corresponds to an image.
  struct Place {
    /// Number of the frame in the format.
    let number: Int
    /// Image size in pixels, derived from both cameras.
    let size: (width: Double, height: Double)
    /// Intrinsics of the image, in its own pixels.
    let camera: DoublePrecisionIntrinsics
  }

  private struct Frame {
    let number: Int
    let pose: CameraPose?
    let camera: DoublePrecisionIntrinsics
  }

  /// Maximum distance of the two principal points, in pixels of the depth map, because the format stores only one of
  /// them.
  private static let tolerance = 1e-3
  private let header: ScanHeader
  /// Frames without an image by time in nanoseconds; the first one if several have the same time.
  private var frames: [Int64: Frame] = [:]

  init(_ header: ScanHeader) { self.header = header }

  mutating func add(_ frame: ScanFrame, pose: CameraPose?, number: Int) {
    guard frames[frame.at.nanoseconds] == nil else { return }
    frames[frame.at.nanoseconds] = Frame(
      number: number, pose: pose, camera: DoublePrecisionIntrinsics(frame.intrinsics))
  }

  /// Returns the frame with the image's time and pose; each frame is returned at most once.
  ///
  /// - Parameter pose: pose of the image, in the format's world coordinates.
  mutating func take(_ image: ScanImage, pose: CameraPose?) -> Place? {
    guard let at = image.at, let frame = frames[at.nanoseconds], pose == nil || pose == frame.pose,
      let camera = image.intrinsics.map({ DoublePrecisionIntrinsics($0) })
    else { return nil }
    let size = DoublePrecisionIntrinsics.image(
      (header.fineSize.width * camera.fx / frame.camera.fx, header.fineSize.height * camera.fy / frame.camera.fy))
    guard size.width >= 1, size.width <= 20_000, size.height >= 1, size.height <= 20_000 else { return nil }
    let seen = camera.scaled(from: size, to: header.fineSize)
    guard abs(seen.cx - frame.camera.cx) <= Self.tolerance, abs(seen.cy - frame.camera.cy) <= Self.tolerance else {
      return nil
    }
    frames[at.nanoseconds] = nil
    return Place(number: frame.number, size: size, camera: camera)
  }
}
