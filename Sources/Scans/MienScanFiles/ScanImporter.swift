internal import Foundation
public import MienScanFormat
public import MienReconstruction

/// Opens a scan in any supported format: a bundle, an app's folder or archive, or a recording.
public struct ScanImporter: Sendable {
  public let format: ScanFileFormat
  private let source: any ScanSource

  /// Information from the sender about a file that does not describe itself.
  public struct Hints: Sendable {
    /// Size of a depth map in pixels.
    public var size: (width: Int, height: Int)?
    /// Storage type of the samples in `depth_scan.bin`.
    public var samples: RawDepthFile.Samples?
    /// Micrometers per step of integer samples, and of the steps to which floating-point meters are rounded; a bundle
    /// states its own.
    public var micrometersPerStep: Int?
    /// Number of frames declared by the sender.
    public var frameCount: Int?
    /// Number of bytes of depth declared by the sender.
    public var byteCount: Int?
    /// Folder with frames of the scan's ``ScanImporter/video``.
    public var videoFrames: String?
    public init() {}
  }

  /// Opens a file or a folder.
  ///
  /// - Throws: ``ScanError`` with a description of the problem, its file and frame.
  public init(path: String, hints: Hints = Hints()) throws(ScanError) {
    let kind =
      try? FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)[.type] as? FileAttributeType
    guard let kind else {
      throw ScanError(.missing, "\(path) does not exist")
    }
    if kind == .typeDirectory {
      try self.init(tree: try DirectoryTree(path), hints)
      return
    }
    try self.init(file: try FileByteSource(path), named: path, hints: hints)
  }

  /// Opens a scan that is a single file.
  ///
  /// - Parameter name: path or name of the file, which identifies `depth_scan.bin`.
  /// - Throws: ``ScanError`` as for a path.
  public init(file: any ByteSource, named name: String, hints: Hints = Hints()) throws(ScanError) {
    let first = file.bytes(at: 0, count: 4)
    if ZipArchive.recognizes(first) {
      let stem = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
      (format, source) = try Self.source(in: try ZipArchive(file, name: stem), hints)
    } else if !first.isEmpty, first.starts(with: [0x89, 0x4D, 0x53, 0x43]) {
      (format, source) = (.bundle, BundleSource(try ScanReader(file)))
    } else if name.hasSuffix(".bin") {
      (format, source) = (.rawDepth, try RawDepthFile(file, hints))
    } else {
      throw ScanError(.notAScan, "\(name) is not a supported scan. Supported formats: \(Self.formats)")
    }
  }

  /// Opens a scan of several files, as if they were in a folder.
  ///
  /// - Parameters:
  ///   - files: files by relative name, with `/` as the separator.
  ///   - name: name of the folder, for messages.
  /// - Throws: ``ScanError`` as for a path.
  public init(files: [String: any ByteSource], named name: String, hints: Hints = Hints()) throws(ScanError) {
    try self.init(tree: FileDictionary(files, name: name), hints)
  }

  private init(tree: any FileTree, _ hints: Hints) throws(ScanError) {
    (format, source) = try Self.source(in: tree, hints)
  }

  private static let formats = ScanFileFormat.allCases.map(\.rawValue).joined(separator: ", ")

  private static func source(
    in tree: any FileTree, _ hints: Hints
  ) throws(ScanError) -> (ScanFileFormat, any ScanSource) {
    let unit = hints.micrometersPerStep
    // Archives and folders may contain the scan's own folder, or a folder that contains it.
    let places: [any FileTree] =
      [tree] + folders(in: tree).prefix(mostFolders).map { SubdirectoryTree(tree, below: $0) }
    for place in places {
      if Record3D.recognizes(place) { return (.record3D, try Record3D(place, micrometersPerStep: unit)) }
      if Record3DImages.recognizes(place) { return (.record3D, try Record3DImages(place, micrometersPerStep: unit)) }
      if Polycam.recognizes(place) { return (.polycam, try Polycam(place, micrometersPerStep: unit)) }
      if Scanner3DAppReader.recognizes(place) {
        return (.scanner3D, try Scanner3DAppReader(place, micrometersPerStep: unit))
      }
      if StrayScanner.recognizes(place) {
        return (.stray, try StrayScanner(place, videoFrames: hints.videoFrames, micrometersPerStep: unit))
      }
      if ARKitScenes.recognizes(place) { return (.arKitScenes, try ARKitScenes(place, micrometersPerStep: unit)) }
      if TUMRecording.recognizes(place) { return (.tum, try TUMRecording(place, micrometersPerStep: unit)) }
      if TransformsFile.recognizes(place) { return (.transforms, try TransformsFile(place, micrometersPerStep: unit)) }
      if COLMAP.recognizes(place) { return (.colmap, try COLMAP(place, micrometersPerStep: unit)) }
      if RawDepthFile.recognizes(place) { return (.rawDepth, try RawDepthFile(folder: place, hints)) }
    }
    throw ScanError(.notAScan, "\(tree.name) contains no supported scan. Supported formats: \(formats)")
  }

  /// Maximum depth of folders examined.
  static let mostLevels = 5
  /// Maximum number of folders searched for a scan, top levels first.
  private static let mostFolders = 32

  /// Returns the folders of up to three levels, top levels first.
  private static func folders(in tree: any FileTree) -> [String] {
    var folders: Set<String> = []
    for name in tree.names {
      let parts = name.split(separator: "/").dropLast()
      for level in 1..<4 where level <= parts.count { folders.insert(parts.prefix(level).joined(separator: "/")) }
    }
    return folders.map { ($0.count { $0 == "/" }, $0) }.sorted { $0 < $1 }.map(\.1)
  }

  public var header: ScanHeader { source.header }
  public var frameCount: Int { source.count }
  public var imageCount: Int { source.imageCount }
  /// Color video of the recording, whose frames can serve as images; nil if there is none, or if its frames are already
  /// available.
  public var video: ScanVideo? { source.video }
  /// Messages about missing or omitted data, for people.
  public var remarks: [ScanDiagnostic] { source.remarks }
  /// The messages in English.
  public var notes: [String] { remarks.map(\.words) }

  /// Returns a frame.
  ///
  /// - Throws: ``ScanError`` with the frame's number.
  public func frame(at number: Int) throws(ScanError) -> ScanFrame {
    guard (0..<frameCount).contains(number) else {
      throw ScanError(.missing, "there are \(frameCount) frames", frame: number)
    }
    return try source.frame(at: number)
  }

  /// Returns an image.
  ///
  /// - Throws: ``ScanError``.
  public func image(at number: Int) throws(ScanError) -> ScanImage {
    guard (0..<imageCount).contains(number) else { throw ScanError(.missing, "there is no picture \(number)") }
    return try source.image(at: number)
  }

  /// Returns a cursor that reads frames sequentially without decoding any twice.
  public func cursor() -> Cursor { Cursor(source) }

  /// Iterates over the frames.
  public struct Cursor: Sendable {
    private let source: any ScanSource
    private var bundle: BundleFrameCursor?

    init(_ source: any ScanSource) {
      self.source = source
      bundle = (source as? BundleSource)?.reader.cursor
    }

    /// Returns a frame.
    ///
    /// - Throws: ``ScanError`` with the frame's number.
    public mutating func frame(at number: Int) throws(ScanError) -> ScanFrame {
      guard bundle != nil else { return try source.frame(at: number) }
      guard let frame = try bundle?.frame(at: number) else { throw ScanError(.missing, "there is no such frame") }
      return frame
    }
  }
}

/// Adapts a bundle to the common interface.
struct BundleSource: ScanSource {
  let reader: ScanReader

  init(_ reader: ScanReader) { self.reader = reader }

  var header: ScanHeader { reader.header }
  var count: Int { reader.count }
  var imageCount: Int { reader.imageCount }
  var remarks: [ScanDiagnostic] {
    reader.faults.map { ScanDiagnostic(.noteBundleDamaged, detail: "\($0)") }
      + (reader.isFinished ? [] : [ScanDiagnostic(.noteUnfinished)])
  }
  func frame(at number: Int) throws(ScanError) -> ScanFrame { try reader.frame(at: number) }
  func image(at number: Int) throws(ScanError) -> ScanImage { try reader.image(at: number) }
}
