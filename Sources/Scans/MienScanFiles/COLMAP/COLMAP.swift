internal import MienCodecs
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Reads the reconstruction of photos by COLMAP (``COLMAPModel``) with depth maps: the folder that COLMAP's dense
/// reconstruction has (`stereo/depth_maps/NAME.geometric.bin`), or one in which an app or a program has added depth maps
/// of the images, in a folder whose name contains `depth`, with the images' names.
///
/// Poses are from world to camera, y down and z forward. PNGs are in millimeters, floats in meters. The unit of the poses
/// is found with the model's 3-D points (``COLMAPScale``); COLMAP's own maps are in that unit.
struct COLMAP: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let model: COLMAPModel
  /// Depth maps, in the order of their names, and the images that they belong to: nil if COLMAP could not register the
  /// image, whose camera is then the only one of the model.
  private let frames: [(depth: String, image: COLMAPModel.Image?)]
  private let images: [(index: Int, image: COLMAPModel.Image, file: String)]
  /// Meters per unit of the depth maps, if stated, and per unit of the poses.
  private let unit: Double?
  private let scale: Double

  /// Assumed frame rate, because images have no timestamps.
  private static let usualRate = 30.0
  /// A scale is only applied if it differs from 1 by more than its own error.
  private static let scaleTolerance = 0.01

  static func recognizes(_ tree: any FileTree) -> Bool { COLMAPModel.place(in: tree) != nil }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    guard let place = COLMAPModel.place(in: tree) else { throw ScanError(.missing, "there is no COLMAP model") }
    let model = try COLMAPModel(tree, at: place)
    self.model = model
    let files = COLMAPFiles(tree, folder: place.folder)
    let list = place.folder + "images" + place.ending
    let sorted = model.images.sorted { DepthImageReader.order($0.name) < DepthImageReader.order($1.name) }
    var used: Set<String> = []
    var frames: [(depth: String, image: COLMAPModel.Image?)] = []
    for image in sorted {
      guard let file = files.depth(of: image.name), used.insert(file).inserted else { continue }
      frames.append((file, image))
    }
    guard !frames.isEmpty else {
      throw ScanError(
        .missing,
        files.isEmpty
          ? "the COLMAP model has no depth maps, and a surface cannot be reconstructed from photos alone"
          : "none of the depth maps has the name of an image in \(list)")
    }
    var remarks = [ScanDiagnostic(.noteNoTimes)]
    if frames.count < sorted.count {
      remarks.append(
        ScanDiagnostic(
          .noteFilesMissing, ["name": list, "count": "\(sorted.count - frames.count)"], detail: "depth maps"))
    }
    let others = files.preferred.filter { !used.contains($0) }
    if !others.isEmpty { remarks.append(ScanDiagnostic(.noteMapsWithoutPose, ["count": "\(others.count)"])) }
    if model.cameras.count == 1 {
      frames += others.map { ($0, nil) }
      frames.sort { DepthImageReader.order($0.depth) < DepthImageReader.order($1.depth) }
    }
    self.frames = frames
    images = DepthImageReader.spread(
      sorted.enumerated().compactMap { index, image in files.image(image.name).map { (index, image, $0) } })
    unit = micrometersPerStep.map { Double($0) / 1e6 }
    let size = try DepthImageReader.size(of: frames) { entry, frame throws(ScanError) in
      let map = try DepthImageReader.map(tree, entry.depth, unit: nil, steps: 1000, frame: frame)
      return (map.width, map.height)
    }
    guard
      let header = ScanHeader(
        device: "", sensor: size.width * size.height == 256 * 192 ? .lidar : .depthCamera, width: size.width,
        height: size.height, micrometersPerStep: DepthImageReader.step(ofUnit: unit ?? DepthImageReader.usualUnit),
        world: .unleveled, clock: .start)
    else { throw ScanError(.tooMuch, "the depth maps are \(size.width)×\(size.height)") }
    self.header = header
    let estimate = Self.scale(of: model, frames, tree, unit: unit)
    scale = estimate.flatMap { abs($0 - 1) > Self.scaleTolerance ? $0 : nil } ?? 1
    // COLMAP's own maps are in the unit of its poses, whatever it is.
    if estimate == nil || frames.contains(where: { $0.depth.hasSuffix(COLMAPDepthMap.ending) }) {
      remarks.append(ScanDiagnostic(.noteScaleUnknown))
    } else if scale != 1 {
      // Four significant digits.
      let digits = max(0, 3 - Int(scale.exponent) * 3 / 10)
      var power = 1.0
      for _ in 0..<min(digits, 6) { power *= 10 }
      remarks.append(ScanDiagnostic(.noteScaled, ["factor": "\((scale * power).rounded() / power)"]))
    }
    let cameras = Set(frames.compactMap { $0.image?.camera })
    if cameras.contains(where: { (try? model.camera(of: $0, frame: 0).distortion.isNone) == false }) {
      remarks.append(ScanDiagnostic(.noteLensDistortion))
    }
    self.remarks = remarks
  }

  /// Returns the meters per unit of the model; nil if it cannot be found.
  private static func scale(
    of model: COLMAPModel, _ frames: [(depth: String, image: COLMAPModel.Image?)], _ tree: any FileTree, unit: Double?
  ) -> Double? {
    guard !model.points.isEmpty else { return nil }
    var scale = COLMAPScale()
    var maps = 0
    for frame in frames {
      guard maps < mostMaps else { break }
      guard let image = frame.image, !image.observations.isEmpty,
        let camera = try? model.camera(of: image.camera, frame: 0),
        let map = try? DepthImageReader.map(tree, frame.depth, unit: unit, steps: 1000, frame: 0)
      else { continue }
      maps += 1
      scale.add(
        image, model.points, size: camera.size,
        map: (map.width, map.height, map.samples.map { Float($0) / 1000 }))
    }
    return scale.meters
  }

  /// Maximum number of depth maps read for the scale.
  private static let mostMaps = 24

  var count: Int { frames.count }
  var imageCount: Int { images.count }

  private func seconds(_ index: Int) -> Double { Double(index) / Self.usualRate }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let (name, image) = frames[number]
    let map = try DepthImageReader.map(tree, name, unit: unit, steps: header.micrometersPerStep, frame: number)
    guard map.width == header.width, map.height == header.height else {
      throw ScanError(
        .refused, "\(name) is \(map.width)×\(map.height), the other maps are \(header.width)×\(header.height)",
        frame: number)
    }
    let used = try model.camera(of: image?.camera ?? model.cameras.keys.first ?? 0, frame: number)
    let camera = used.camera.scaled(from: used.size, to: header.fineSize)
    let depth = used.distortion.removed(from: map.samples, width: map.width, height: map.height, camera: camera)
    return try DepthImageReader.frame(
      header, depth: depth, confidence: nil,
      pose: try image.flatMap { image throws(ScanError) in
        try image.pose(scale: scale, frame: number, model.imageFile)
      }, intrinsics: camera.rounded, seconds: seconds(number), number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let (index, image, name) = images[number]
    let used = try model.camera(of: image.camera, frame: index)
    let stored = DepthImageReader.storedSize(of: try tree.bytes(name, limit: ImportLimits.image)) ?? used.size
    return try DepthImageReader.image(
      tree, name, role: .colorFrame, pose: try image.pose(scale: scale, frame: index, model.imageFile),
      intrinsics: used.camera.scaled(from: used.size, to: stored).rounded, seconds: seconds(index))
  }
}

/// Files of the images of a COLMAP model.
private struct COLMAPFiles {
  private let tree: any FileTree
  /// Folder with the folders of the model and the images, with `/` at the end unless it is empty.
  private let base: String
  /// Depth maps by the path below their folder, without extensions that follow the image's name.
  private var depth: [String: String] = [:]

  private static let depthEndings = [".png", ".exr", ".npy", ".geometric.bin", ".photometric.bin"]
  private static let imageFolders = ["images/", "image/", "rgb/", "color/", "input/", ""]

  init(_ tree: any FileTree, folder: String) {
    self.tree = tree
    let inner = ["sparse/0/", "sparse/", "model/"].first { folder.hasSuffix($0) } ?? folder
    base = String(folder.dropLast(inner.count))
    for name in tree.names {
      guard let rank = Self.depthEndings.firstIndex(where: name.hasSuffix) else { continue }
      let parts = name.split(separator: "/")
      guard let at = parts.dropLast().lastIndex(where: { $0.lowercased().contains("depth") }) else { continue }
      let key = parts[(at + 1)...].joined(separator: "/").dropLast(Self.depthEndings[rank].count)
      // Better forms of the same map come first; COLMAP's geometric maps are filtered.
      let old = depth[String(key)].flatMap { old in Self.depthEndings.firstIndex(where: old.hasSuffix) }
      if old.map({ rank < $0 }) ?? true { depth[String(key)] = name }
    }
  }

  var isEmpty: Bool { depth.isEmpty }

  /// All depth maps, sorted by name.
  var preferred: [String] { depth.values.sorted() }

  func depth(of image: String) -> String? {
    let base = image.split(separator: "/").last.map(String.init) ?? image
    return [image, Self.stem(image), base, Self.stem(base), Self.stem(base) + ".depth", Self.stem(base) + "_depth"]
      .lazy.compactMap { depth[$0] }.first
  }

  func image(_ name: String) -> String? {
    Self.imageFolders.flatMap { [base + $0 + name, $0 + name] }.first(where: tree.has)
  }

  private static func stem(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}

/// Estimates the unit of a COLMAP model from its depth maps.
///
/// A model made of images alone has no unit. Its 3-D points have a distance from each camera, and a depth map has that
/// distance in meters: the quotient is the unit.
struct COLMAPScale {
  private var quotients: [Double] = []

  /// Adds the points of an image.
  ///
  /// - Parameters:
  ///   - map: depth map of the image in meters, 0 for none.
  ///   - size: size of the image in whose pixels the points are.
  mutating func add(
    _ image: COLMAPModel.Image, _ points: [Int64: SIMD3<Double>], size: (width: Double, height: Double),
    map: (width: Int, height: Int, meters: [Float])
  ) {
    for observation in image.observations {
      guard let point = points[observation.point] else { continue }
      let distance = image.camera(point).z
      let u = (observation.u / size.width * Double(map.width)).rounded(.down)
      let v = (observation.v / size.height * Double(map.height)).rounded(.down)
      guard distance > 0, distance.isFinite, u >= 0, v >= 0, u < Double(map.width), v < Double(map.height) else {
        continue
      }
      let meters = Double(map.meters[Int(v) * map.width + Int(u)])
      if meters > 0 { quotients.append(meters / distance) }
    }
  }

  /// Meters per unit of the model; nil if there are too few points, or if they contradict each other.
  var meters: Double? {
    guard quotients.count >= Self.leastPoints else { return nil }
    let sorted = quotients.sorted()
    let middle = sorted[sorted.count / 2]
    // Half of the points within a tenth: others are at edges of objects, or wrong.
    let (low, high) = (sorted[sorted.count / 4], sorted[sorted.count * 3 / 4])
    return middle.isFinite && (1e-4...1e4).contains(middle) && high - low < 0.2 * middle ? middle : nil
  }

  private static let leastPoints = 30
}
