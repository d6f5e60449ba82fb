internal import Foundation
internal import MienCodecs
internal import MienScanFormat
internal import MienCore

/// Writes a folder of 3D Scanner App; see ``Scanner3DAppReader`` and Documentation/reference/formats/ScanExports.md.
///
/// ``finish()`` writes the frame descriptions: they contain the intrinsics in pixels of the frame's image, and images
/// follow the frames. Until then, only a few numbers per frame are stored, but no maps or images.
struct Scanner3DWriter: ScanFolderWriter {
  let micrometersPerStep = 1000
  let world = WorldAlignment.yUp
  private let header: ScanHeader
  /// Descriptions by number, of frames and of images that belong to no frame.
  private var descriptions: [Description] = []
  private var frameCount = 0
  private var places: ImageFrameMatcher
  private var unposed = 0
  private var skippedImages = 0

  /// Files have five-digit numbers.
  private static let mostNumbers = 100_000
  /// Size of the app's own images.
  private static let usualImage = (width: 1920.0, height: 1440.0)

  private struct Description {
    let pose: CameraPose
    let at: MonotonicInstant
    /// Intrinsics in pixels of an image of `size`.
    var camera: DoublePrecisionIntrinsics
    /// Image size; nil if it has to be read from the image itself.
    var size: (width: Double, height: Double)?
  }

  init(_ header: ScanHeader) {
    self.header = header
    places = ImageFrameMatcher(header)
  }

  var notes: [String] {
    var notes: [String] = []
    if unposed > 0 { notes.append("\(unposed) frames without a pose were left out: the format requires poses.") }
    if skippedImages > 0 {
      notes.append("\(skippedImages) pictures were left out: the format takes JPEGs with a time, a pose and a camera.")
    }
    return notes
  }

  private static func name(_ number: Int) -> String { String(format: "%05d", number) }

  mutating func add(
    _ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int
  ) throws(ScanError) -> [ExportedFile] {
    guard let pose else {
      unposed += 1
      return []
    }
    let own = descriptions.count
    guard own < Self.mostNumbers else {
      throw ScanError(.tooMuch, "3D Scanner App numbers at most \(Self.mostNumbers) frames", frame: number)
    }
    places.add(frame, pose: pose, number: own)
    // Uses the default image size whatever the maps' size, for readers that ignore the projection matrix; intrinsics
    // that would be invalid in that size remain in pixels of the map.
    let camera = DoublePrecisionIntrinsics(frame.intrinsics)
    let usual = camera.scaled(from: header.fineSize, to: Self.usualImage)
    let isUsual = usual.rounded.isPlausible
    descriptions.append(
      Description(
        pose: pose, at: frame.at, camera: isUsual ? usual : camera,
        size: isUsual ? Self.usualImage : header.fineSize))
    frameCount += 1
    let name = Self.name(own)
    var files = [ExportedFile(name: "depth_\(name).png", bytes: GrayPNGWriter.depth(depth, width: header.width))]
    if let levels = frame.confidence {
      files.append(ExportedFile(name: "conf_\(name).png", bytes: GrayPNGWriter.levels(levels, width: header.width)))
    }
    return files
  }

  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile] {
    guard ImageFormat.sniff(image.bytes) == .jpeg, let number = fileNumber(for: image, pose) else {
      skippedImages += 1
      return []
    }
    return [ExportedFile(name: "frame_\(Self.name(number)).jpg", bytes: image.bytes)]
  }

  /// Returns the number of the image's frame, or a new number for an image that belongs to no frame.
  private mutating func fileNumber(for image: ScanImage, _ pose: CameraPose?) -> Int? {
    if let place = places.take(image, pose: pose) {
      descriptions[place.number].camera = place.camera
      descriptions[place.number].size = place.size
      return place.number
    }
    guard let pose, let camera = image.intrinsics, let at = image.at, descriptions.count < Self.mostNumbers else {
      return nil
    }
    descriptions.append(Description(pose: pose, at: at, camera: DoublePrecisionIntrinsics(camera), size: nil))
    return descriptions.count - 1
  }

  mutating func finish() -> [ExportedFile] {
    var files = descriptions.enumerated().map { number, description in
      ExportedFile(
        name: "frame_\(Self.name(number)).json", bytes: Array(Self.text(description, number: number).utf8))
    }
    files.append(
      ExportedFile(name: "info.json", bytes: Array("{\"numImages\":\(frameCount),\"title\":\"Scan\"}\n".utf8)))
    return files
  }

  /// Formats numbers in double precision, so that readers recover the original `Float` values.
  private static func text(_ description: Description, number: Int) -> String {
    func list(_ values: [Double]) -> String { values.map { "\($0)" }.joined(separator: ",") }
    let camera = description.camera
    var fields = [
      "\"cameraPoseARFrame\":[\(list(description.pose.rowMajor.map { Double($0) }))]",
      "\"frame_index\":\(number)",
      "\"intrinsics\":[\(list([camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1]))]",
    ]
    if let size = description.size {
      let (x, y) = (2 * camera.fx / size.width, 2 * camera.fy / size.height)
      let across = 1 - 2 * (camera.cx + 0.5) / size.width
      let down = 2 * (camera.cy + 0.5) / size.height - 1
      // Near clipping plane at one millimeter, as in the app.
      let rows: [Double] = [x, 0, across, 0, 0, y, down, 0, 0, 0, -1, -0.001, 0, 0, -1, 0]
      fields.append("\"projectionMatrix\":[\(list(rows))]")
    }
    fields.append("\"time\":\(description.at.seconds)")
    return "{\(fields.joined(separator: ","))}\n"
  }
}
