internal import MienCodecs
internal import MienCore
internal import MienReconstruction
internal import MienScanFormat

/// Reads the images that Record3D exports for other programs ("EXR + RGB"): `metadata.json` (``Record3DMetadata``),
/// `depth/N.exr` with meters as floats, `rgb/N.jpg` or `.png`, and `confidence/N.png` if another program added it.
///
/// Older exports have all files in one folder.
struct Record3DImages: ScanSource {
  let header: ScanHeader
  let remarks: [ScanDiagnostic]
  private let tree: any FileTree
  private let metadata: Record3DMetadata
  /// Numbers of the frames, as in the file names.
  private let names: [Int]
  /// Depth maps by number.
  private let files: [Int: String]
  /// Frames with a color image, and its name.
  private let images: [(frame: Int, file: String)]

  /// Folders of the depth maps.
  private static let folders = ["depth/", "rgbd/", "exr/", ""]

  static func recognizes(_ tree: any FileTree) -> Bool {
    Record3DMetadata.name(in: tree) != nil && folder(in: tree) != nil
  }

  /// Returns the folder with the depth maps.
  private static func folder(in tree: any FileTree) -> String? {
    folders.first { !files(in: tree, $0).isEmpty }
  }

  init(_ tree: any FileTree, micrometersPerStep: Int? = nil) throws(ScanError) {
    self.tree = tree
    let folder = Self.folder(in: tree) ?? ""
    let files = Self.files(in: tree, folder)
    names = files.keys.sorted()
    guard !names.isEmpty else { throw ScanError(.missing, "\(folder) contains no numbered EXR images") }
    self.files = files
    metadata = try Record3DMetadata(tree, names: names)
    images = DepthImageReader.spread(Self.images(in: tree, folder, names))
    let size =
      if let size = metadata.mapSize { size } else {
        try DepthImageReader.size(of: names.compactMap { files[$0] }) { file, frame throws(ScanError) in
          let map = try Self.map(tree, file, frame: frame)
          return (map.width, map.height)
        }
      }
    guard
      let header = ScanHeader(
        device: "",
        sensor: Record3DMetadata.sensor(
          samples: size.width * size.height, hasConfidence: Self.hasConfidence(tree)),
        width: size.width, height: size.height, micrometersPerStep: micrometersPerStep ?? 1000,
        world: metadata.isLeveled ? .yUp : .unleveled, clock: .start)
    else { throw ScanError(.tooMuch, "the depth maps are \(size.width)×\(size.height)") }
    self.header = header
    remarks = metadata.remarks
  }

  private static func files(in tree: any FileTree, _ folder: String) -> [Int: String] {
    var files: [Int: String] = [:]
    for file in tree.names(in: folder, ending: ".exr") {
      if let number = Int(file.dropFirst(folder.count).dropLast(4)), number >= 0 { files[number] = file }
    }
    return files
  }

  /// Returns the color images of the frames, which may be in another folder.
  private static func images(
    in tree: any FileTree, _ folder: String, _ names: [Int]
  ) -> [(frame: Int, file: String)] {
    let places = ["rgb/", "color/", folder]
    return names.enumerated().compactMap { frame, name in
      let candidates = places.flatMap { place in ["jpg", "jpeg", "png"].map { "\(place)\(name).\($0)" } }
      return candidates.first(where: tree.has).map { (frame, $0) }
    }
  }

  private static let confidenceFolders = ["confidence/", "conf/"]

  private static func hasConfidence(_ tree: any FileTree) -> Bool {
    tree.names.contains { name in confidenceFolders.contains { name.hasPrefix($0) } }
  }

  private static func map(
    _ tree: any FileTree, _ file: String, frame: Int
  ) throws(ScanError) -> (width: Int, height: Int, samples: [Float]) {
    try DepthImageReader.floats(ofEXR: try tree.bytes(file, limit: ImportLimits.map), file, frame: frame)
  }

  var count: Int { names.count }
  var imageCount: Int { images.count }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let name = names[number]
    guard let file = files[name] else { throw ScanError(.missing, "there is no such frame", frame: number) }
    let map = try Self.map(tree, file, frame: number)
    guard map.width == header.width, map.height == header.height else {
      throw ScanError(
        .refused, "\(file) is \(map.width)×\(map.height), the other maps are \(header.width)×\(header.height)",
        frame: number)
    }
    let levels = Self.confidenceFolders.map { "\($0)\(name).png" }.first(where: tree.has)
    return try DepthImageReader.frame(
      header,
      depth: try DepthQuantizer.steps(
        map.samples, micrometersPerStep: header.micrometersPerStep, mayBeEmpty: true, frame: number),
      confidence: try levels.flatMap { levels throws(ScanError) in
        try DepthImageReader.confidence(tree, levels, header, frame: number)
      }, pose: try metadata.pose(of: number, number: number), intrinsics: try metadata.camera(of: number, in: header),
      seconds: metadata.seconds(of: number), number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    let (frame, file) = images[number]
    return try DepthImageReader.image(
      tree, file, role: .colorFrame, pose: try metadata.pose(of: frame, number: number),
      intrinsics: try metadata.camera(of: frame, number: number).rounded, seconds: metadata.seconds(of: frame))
  }
}
