internal import MienScanFormat
internal import MienCore

/// Intrinsics and pose conventions of published recordings in the format of the TUM benchmark, which do not include
/// them.
///
/// Identified by the names of the folders that contain a recording: the TUM benchmark's three cameras (Sturm et al.
/// 2012), the Bonn dynamic dataset (Palazzolo et al. 2019), and the rendered scenes of ICL-NUIM (Handa et al. 2014).
struct TUMIntrinsicsPresets {
  /// Convention of the poses in the file.
  enum Poses {
    /// From camera to world, in OpenCV's axes.
    case camera
    /// From the camera's markers to the world of the motion capture system.
    case markers
    /// From a left-handed camera whose y points up and whose z points forward.
    case mirrored
  }

  /// Intrinsics for maps of 640×480.
  let intrinsics: PinholeIntrinsics
  let poses: Poses
  /// Frame interval in seconds, if timestamps are frame numbers.
  let secondsPerNumber: Double?

  /// - Parameter trail: names of folders and archives, with any separators.
  static func known(by trail: String) -> TUMIntrinsicsPresets? {
    let words = trail.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    func names(_ texts: String...) -> Bool { words.contains { word in texts.contains { word.hasSuffix($0) } } }
    if names("freiburg1", "fr1") { return tum(517.3, 516.5, 318.6, 255.3) }
    if names("freiburg2", "fr2") { return tum(520.9, 521.0, 325.1, 249.7) }
    if names("freiburg3", "fr3") { return tum(535.4, 539.2, 320.1, 247.6) }
    let text = words.joined(separator: " ")
    if text.contains("rgbd bonn") {
      return TUMIntrinsicsPresets(
        intrinsics: PinholeIntrinsics(fx: 542.822841, fy: 542.576870, cx: 315.593520, cy: 237.756098), poses: .markers,
        secondsPerNumber: nil)
    }
    let rooms = ["living room traj", "office room traj", "livingroom", "icl nuim", "frei png"]
    return rooms.contains(where: text.contains) ? rendered : nil
  }

  /// Preset of ICL-NUIM.
  static let rendered = TUMIntrinsicsPresets(
    intrinsics: PinholeIntrinsics(fx: 481.2, fy: 480, cx: 319.5, cy: 239.5), poses: .mirrored,
    secondsPerNumber: 1.0 / 30)

  private static func tum(_ fx: Float, _ fy: Float, _ cx: Float, _ cy: Float) -> TUMIntrinsicsPresets {
    TUMIntrinsicsPresets(
      intrinsics: PinholeIntrinsics(fx: fx, fy: fy, cx: cx, cy: cy), poses: .camera, secondsPerNumber: nil)
  }

  /// Converts a pose from the file to OpenCV's axes; returns nil if the result is out of range.
  func camera(_ pose: CameraPose) -> CameraPose? {
    switch poses {
    case .camera: pose
    case .markers: Self.ofMarkers(pose)
    case .mirrored: Self.mirrored(pose)
    }
  }

  /// `true` if the world's z points up.
  var isLeveled: Bool { poses == .camera }

  /// Computes S · P · S with S = diag(1, −1, 1), which mirrors both coordinate systems to make them right-handed.
  private static func mirrored(_ pose: CameraPose) -> CameraPose? {
    let flip = SIMD3<Float>(1, -1, 1)
    return made(pose.right * flip, -(pose.up * flip), pose.back * flip, pose.position * flip)
  }

  /// Computes R⁻¹ · P · R · M, as specified by the dataset's authors: R exchanges the axes of the motion capture
  /// system, M is the transform from the camera to its markers. The published M has a scale of 1.06, which no camera
  /// has; the nearest rotation is used instead.
  private static func ofMarkers(_ pose: CameraPose) -> CameraPose? {
    // R is its own inverse.
    func exchanged(_ v: SIMD3<Float>) -> SIMD3<Float> { SIMD3(-v.x, v.z, v.y) }
    func through(_ v: SIMD3<Float>) -> SIMD3<Float> {
      let w = exchanged(v)
      return exchanged(pose.right * w.x + pose.up * w.y + pose.back * w.z)
    }
    let markers = (
      right: SIMD3<Float>(0.958819, 0.000845, -0.284016), up: SIMD3<Float>(0.172594, -0.795906, 0.580297),
      back: SIMD3<Float>(-0.225560, -0.605420, -0.763276), place: SIMD3<Float>(0.0113, -0.0098, 0.0111)
    )
    return made(
      through(markers.right), through(markers.up), through(markers.back),
      through(markers.place) + exchanged(pose.position))
  }

  /// Creates a pose from a product of rotations, which is always a rotation; returns nil if its position is too far
  /// away.
  private static func made(
    _ right: SIMD3<Float>, _ up: SIMD3<Float>, _ back: SIMD3<Float>, _ position: SIMD3<Float>
  ) -> CameraPose? {
    try? CameraPose(right: right, up: up, back: back, position: position)
  }
}
