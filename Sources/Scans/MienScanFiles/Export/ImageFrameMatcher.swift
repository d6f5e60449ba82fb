internal import MienDepth
internal import MienCore

/// Finds the frames that pictures were taken with, for formats that keep one camera and one time for both.
struct ImageFrameMatcher: Sendable {
  /// A frame that a picture belongs to.
  struct Place {
    /// The frame's number in the format.
    let number: Int
    /// The picture's size in pixels, as it follows from both cameras.
    let size: (width: Double, height: Double)
    /// The picture's, in its own pixels.
    let camera: DoublePrecisionIntrinsics
  }

  private struct Frame {
    let number: Int
    let pose: CameraPose?
    let camera: DoublePrecisionIntrinsics
  }

  /// Furthest that the two principal points may lie apart, in pixels of the depth map: the format keeps one of them.
  private static let tolerance = 1e-3
  private let header: ScanHeader
  /// Frames without a picture by their time in nanoseconds; the first one where several have the same.
  private var frames: [Int64: Frame] = [:]

  init(_ header: ScanHeader) { self.header = header }

  mutating func add(_ frame: ScanFrame, pose: CameraPose?, number: Int) {
    guard frames[frame.at.nanoseconds] == nil else { return }
    frames[frame.at.nanoseconds] = Frame(
      number: number, pose: pose, camera: DoublePrecisionIntrinsics(frame.intrinsics))
  }

  /// The frame of the picture's time, from where the same camera took it; no frame is found twice.
  ///
  /// - Parameter pose: the picture's, in the format's world.
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
