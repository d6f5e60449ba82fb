internal import MienCore
internal import MienScanFormat

/// Sparse model of COLMAP: cameras, registered images and, if there are any, 3-D points.
///
/// A model is stored as text (`cameras.txt`, `images.txt`, `points3D.txt`) or with the same names ending in `.bin`
/// (``COLMAPBinary``), which COLMAP prefers if both exist.
struct COLMAPModel: Sendable {
  /// Camera as the file states it; whether it can be used is decided for each frame.
  struct Camera: Sendable {
    let model: String
    let width: Double
    let height: Double
    let parameters: [Double]
  }

  /// A point of an image that belongs to a 3-D point; the center of the first pixel is at (0.5, 0.5).
  struct Observation: Sendable {
    let u: Double
    let v: Double
    let point: Int64
  }

  /// Registered image.
  struct Image: Sendable {
    let name: String
    let camera: Int64
    /// Rotation from world to camera (w, x, y, z), and translation; the camera's y points down, z forward.
    let rotation: [Double]
    let translation: [Double]
    /// Some of the image's points.
    var observations: [Observation] = []
  }

  var cameras: [Int64: Camera] = [:]
  var images: [Image] = []
  /// Positions of some of the 3-D points.
  var points: [Int64: SIMD3<Double>] = [:]
  /// Names of the files with the cameras and images, for messages.
  let cameraFile: String
  let imageFile: String

  /// Maximum number of images; a hundred minutes at 15 per second are 90 000.
  static let mostImages = 100_000
  /// Maximum number of points read from an image.
  static let mostObservations = 400

  /// Returns `true` for the images whose points are read: the first 32, and 32 more.
  static func isObserved(_ index: Int) -> Bool { index < 32 || index % 64 == 0 && index < 2048 }

  /// Folders of a recording in which a model may be stored.
  private static let folders = [
    "", "sparse/0/", "sparse/", "colmap/sparse/0/", "colmap/", "dense/sparse/", "dense/0/sparse/",
    "distorted/sparse/0/", "model/",
  ]

  /// Returns the folder of a model, and how it is stored; nil if there is none.
  static func place(in tree: any FileTree) -> (folder: String, ending: String)? {
    for folder in folders {
      for ending in [".bin", ".txt"] where ["cameras", "images"].allSatisfy({ tree.has(folder + $0 + ending) }) {
        return (folder, ending)
      }
    }
    return nil
  }

  /// Reads a model.
  ///
  /// - Throws: ``ScanError``: `damaged` with the file's name, or `tooMuch`.
  init(_ tree: any FileTree, at place: (folder: String, ending: String)) throws(ScanError) {
    func file(_ name: String) -> String { place.folder + name + place.ending }
    (cameraFile, imageFile) = (file("cameras"), file("images"))
    let isBinary = place.ending == ".bin"
    let cameraBytes = try tree.bytes(cameraFile, limit: ImportLimits.text)
    let imageBytes = try tree.bytes(imageFile, limit: ImportLimits.text)
    if isBinary {
      cameras = try COLMAPBinary.cameras(cameraBytes, cameraFile)
      images = try COLMAPBinary.images(imageBytes, imageFile)
    } else {
      cameras = try COLMAPText.cameras(cameraBytes, cameraFile)
      images = try COLMAPText.images(imageBytes, imageFile)
    }
    // Points are needed only for the scale: without them, or if their file is too large, positions count as meters.
    guard tree.has(file("points3D")), let bytes = try? tree.bytes(file("points3D"), limit: ImportLimits.text) else {
      return
    }
    let wanted = Set(images.flatMap { $0.observations.map(\.point) })
    points = isBinary ? COLMAPBinary.points(bytes, wanted) : COLMAPText.points(bytes, wanted)
  }

  /// Returns the intrinsics of an image and its size.
  ///
  /// - Throws: ``ScanError`` for cameras that are missing, damaged or of an unsupported model.
  func camera(
    of image: Int64, frame: Int
  ) throws(ScanError) -> (
    camera: DoublePrecisionIntrinsics, size: (width: Double, height: Double), distortion: LensDistortion
  ) {
    guard let camera = cameras[image] else {
      throw ScanError(.damaged, "\(cameraFile) has no camera \(image)", frame: frame)
    }
    let p = camera.parameters
    // Terms follow the focal lengths and the principal point.
    let terms: [WritableKeyPath<LensDistortion, Double>]? =
      switch camera.model {
      case "SIMPLE_PINHOLE", "PINHOLE": []
      case "SIMPLE_RADIAL": [\.k1]
      case "RADIAL": [\.k1, \.k2]
      case "OPENCV": [\.k1, \.k2, \.p1, \.p2]
      case "FULL_OPENCV": [\.k1, \.k2, \.p1, \.p2, \.k3, \.k4, \.k5, \.k6]
      default: nil
      }
    guard let terms else {
      throw ScanError(
        .unsupported,
        "\(cameraFile): camera model \(camera.model.prefix(40)) is not supported: undistort with colmap image_undistorter",
        frame: frame)
    }
    let isSimple = ["SIMPLE_PINHOLE", "SIMPLE_RADIAL", "RADIAL"].contains(camera.model)
    let first = isSimple ? 3 : 4
    guard p.count == first + terms.count, p.allSatisfy(\.isFinite), (1...20_000).contains(camera.width),
      (1...20_000).contains(camera.height)
    else { throw ScanError(.damaged, "\(cameraFile): camera \(image) is invalid", frame: frame) }
    var distortion = LensDistortion()
    for (term, value) in zip(terms, p[first...]) { distortion[keyPath: term] = value }
    return (
      // The format's pixel centers are at halves, ours at whole numbers.
      DoublePrecisionIntrinsics(
        fx: p[0], fy: isSimple ? p[0] : p[1], cx: p[first - 2] - 0.5, cy: p[first - 1] - 0.5),
      (camera.width, camera.height), distortion
    )
  }
}

extension COLMAPModel.Image {
  /// Returns a point of the world in the camera's axes (y down, z forward).
  func camera(_ world: SIMD3<Double>) -> SIMD3<Double> {
    Self.turned(world, by: rotation) + SIMD3(translation[0], translation[1], translation[2])
  }

  /// Returns the camera's pose, positions multiplied by `scale`; nil for a rotation of zeros.
  func pose(scale: Double, frame: Int, _ file: String) throws(ScanError) -> CameraPose? {
    let back = [rotation[0], -rotation[1], -rotation[2], -rotation[3]]
    let place = Self.turned(SIMD3(translation[0], translation[1], translation[2]), by: back) * -scale
    return try DepthImageReader.pose(
      quaternion: [back[1], back[2], back[3], back[0]], place: [place.x, place.y, place.z], frame: frame, file)?
      .turnedAboutX
  }

  /// Rotates a vector by a quaternion (w, x, y, z).
  private static func turned(_ v: SIMD3<Double>, by q: [Double]) -> SIMD3<Double> {
    let (w, axis) = (q[0], SIMD3(q[1], q[2], q[3]))
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
    let once = cross(axis, v)
    return v + (once * w + cross(axis, once)) * 2
  }
}
