// Compiled with the files of MienScanFiles; the file tree is parsed from one input.
import MienScanFormat
import MienReconstruction
import MienCore

/// File tree of one input: each file begins with a line of `@` and its name.
private struct Bundle: FileTree {
  let name = "scan"
  let names: [String]
  private let files: [String: [UInt8]]

  init(_ bytes: ArraySlice<UInt8>) {
    var files: [String: [UInt8]] = [:]
    let mark = UInt8(ascii: "@")
    let newline = UInt8(ascii: "\n")
    var place = bytes.startIndex
    while place < bytes.endIndex, files.count < 64 {
      guard bytes[place] == mark, let end = bytes[place...].firstIndex(of: newline) else { break }
      let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
      var next = end + 1
      // A file ends before the next line that begins with the mark.
      while next < bytes.endIndex, !(bytes[next] == mark && bytes[next - 1] == newline) { next += 1 }
      let content = bytes[(end + 1)..<next]
      files[name] = Array(next < bytes.endIndex ? content.dropLast() : content)
      place = next
    }
    self.files = files
    names = files.keys.sorted()
  }

  static func write(_ files: [ExportedFile]) -> [UInt8] {
    files.enumerated().flatMap { number, file in
      Array((number == 0 ? "@" : "\n@").utf8) + Array(file.name.utf8) + Array("\n".utf8) + file.bytes
    }
  }

  func bytes(_ name: String, limit: Int) throws(ScanError) -> [UInt8] {
    guard let file = files[name] else { throw ScanError(.missing, "\(name) is not there") }
    guard file.count <= limit else { throw ScanError(.tooMuch, "\(name) is too large") }
    return file
  }
}

func seeds() -> [[UInt8]] {
  guard
    let header = ScanHeader(
      device: "a", sensor: .lidar, width: 8, height: 6, micrometersPerStep: 1000, world: .yUp, clock: .boot)
  else { fatalError("the seed's header is good") }
  var seeds: [[UInt8]] = ScanExportFormat.allCases.map { format in
    var exporter = ScanExporter(format, header)
    var files: [ExportedFile] = []
    for number in 0..<2 {
      guard
        let frame = ScanFrame(
          width: 8, height: 6, depth: (0..<48).map { UInt16(900 + $0 * 3 + number) },
          confidence: [UInt8](repeating: 2, count: 48), pose: .identity,
          intrinsics: PinholeIntrinsics(fx: 6, fy: 6, cx: 4, cy: 3),
          at: MonotonicInstant(nanoseconds: Int64(number) * 100_000_000)),
        let written = try? exporter.add(frame)
      else { fatalError("the seed's frames are good") }
      files += written
    }
    files += exporter.finish()
    guard format.isArchive else { return [0] + Bundle.write(files) }
    var zip = ZipWriter()
    var archive: [UInt8] = [1]
    for file in files {
      guard let bytes = try? zip.add(file.bytes, as: file.name) else { fatalError("the seed's names are good") }
      archive += bytes
    }
    return archive + zip.finish()
  }
  // A depth_scan.bin of one 8 × 6 map and its metadata.
  let metadata = #"{"depth_frame_count":1,"depth_width":8,"depth_height":6,"depth_format":"u16","photo_count":3}"#
  seeds.append(
    [0]
      + Bundle.write([
        ExportedFile(name: "metadata.json", bytes: Array(metadata.utf8)),
        ExportedFile(name: "depth_scan.bin", bytes: (0..<96).map { UInt8($0) }),
      ]))
  // A Stray Scanner recording with a NumPy array.
  seeds.append(
    [0]
      + Bundle.write([
        ExportedFile(name: "camera_matrix.csv", bytes: Array("1440, 0, 960\n0, 1440, 720\n0, 0, 1".utf8)),
        ExportedFile(
          name: "depth/000000.npy",
          bytes: [0x93] + Array("NUMPY".utf8) + [1, 0, 55, 0]
            + Array("{'descr': '<u2', 'fortran_order': False, 'shape':(2,3)}".utf8)
            + [UInt8](repeating: 3, count: 12)),
        ExportedFile(name: "odometry.csv", bytes: Array("1, 0, 0, 0, 0, 0, 0, 0, 1".utf8)),
      ]))
  // A truncated one with per-row cameras, two folders down.
  seeds.append(
    [0]
      + Bundle.write([
        ExportedFile(
          name: "a/b/depth/000000.npy",
          bytes: [0x93] + Array("NUMPY".utf8) + [1, 0, 55, 0]
            + Array("{'descr': '<u2', 'fortran_order': False, 'shape':(2,3)}".utf8)
            + [UInt8](repeating: 3, count: 12)),
        ExportedFile(
          name: "a/b/odometry.csv", bytes: Array("1, 0, 0, 0, 0, nan, 0, 0, 1, 5, 5, 3, 2\n2, 1, 0".utf8)),
      ]))
  // An ICL-NUIM sequence with an association list.
  seeds.append(
    [0]
      + Bundle.write([
        ExportedFile(name: "associations.txt", bytes: Array("1 depth/1.png 1 rgb/1.png\n".utf8)),
        ExportedFile(name: "depth/1.png", bytes: [0x89, 0x50, 0x4E, 0x47]),
        ExportedFile(name: "a.gt.freiburg", bytes: Array("1 0 0 0 0.5 0.5 0.5 0.5\n".utf8)),
      ]))
  seeds += imageSeeds()
  // An archive of one stored file, and LZFSE with stored blocks and an end marker.
  let entry: [UInt8] = [20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
  let local: [UInt8] = [0x50, 0x4B, 3, 4] + entry + [0x61, 0x61]
  let central: [UInt8] =
    [0x50, 0x4B, 1, 2, 20, 0] + entry + [UInt8](repeating: 0, count: 14) + [0x61]
  seeds.append(
    [1] + local + central + [
      0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, UInt8(central.count), 0, 0, 0, UInt8(local.count),
    ]
      + [0, 0, 0, 0, 0])
  seeds.append([2] + Array("bvx-".utf8) + [3, 0, 0, 0, 1, 2, 3] + Array("bvx$".utf8))
  return seeds
}

/// Recordings of separate images: Record3D's EXR export, Polycam's raw data, transforms.json, and COLMAP's models.
private func imageSeeds() -> [[UInt8]] {
  let pose = "1,0,0,0,0,1,0,0,0,0,1,0".split(separator: ",").enumerated()
    .map { "\"t_\($0.offset / 4)\($0.offset % 4)\":\($0.element)" }.joined(separator: ",")
  let map = GrayPNGWriter.depth((0..<6).map { UInt16($0 + 900) }, width: 3)
  return [
    [
      ExportedFile(
        name: "metadata.json",
        bytes: Array(#"{"w":6,"h":4,"K":[5,0,0,0,5,0,3,2,1],"poses":[[0.1,0,0,0.995,1,2,3]]}"#.utf8)),
      ExportedFile(name: "depth/0.exr", bytes: image()),
    ],
    [
      ExportedFile(name: "keyframes/depth/1000.png", bytes: map),
      ExportedFile(
        name: "keyframes/corrected_cameras/1000.json",
        bytes: Array(#"{"fx":5,"fy":5,"cx":3,"cy":2,"width":6,"height":4,\#(pose)}"#.utf8)),
    ],
    [
      ExportedFile(
        name: "transforms.json",
        bytes: Array(
          #"""
          {"fl_x":5,"fl_y":5,"cx":3,"cy":2,"w":6,"h":4,"applied_scale":2,"depth_unit_scale_factor":0.001,"frames":[
          {"file_path":"a.png","depth_file_path":"./a.png","transform_matrix":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]},
          {"depth_file_path":"b.exr","transform_matrix":[[1,0,0,0],[0,1,0,0],[0,0,1,0]]}]}
          """#.utf8)),
      ExportedFile(name: "a.png", bytes: map), ExportedFile(name: "b.exr", bytes: image()),
    ],
    [
      ExportedFile(
        name: "transforms.json",
        bytes: Array(
          #"""
          {"camera_angle_x":1,"w":6,"h":4,"integer_depth_scale":0.0002,"camera_model":"OPENCV","k1":0.1,"k2":-0.2,"k3":0.1,
          "p1":0.01,"p2":0.02,"frames":[{"file_path":"a","depth_path":"a.png","transform_matrix":
          [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}]}
          """#.utf8)),
      ExportedFile(name: "a.png", bytes: map),
    ],
    [
      ExportedFile(name: "depth/a.png", bytes: map),
      ExportedFile(
        name: "sparse/0/cameras.txt",
        bytes: Array("# c\n1 OPENCV 6 4 5 5 3 2 0.1 -0.1 0.01 0.02\n2 FULL_OPENCV 6 4 5 5 3 2 1 1 1 1 1 1 1 1\n".utf8)),
      ExportedFile(
        name: "sparse/0/images.txt",
        bytes: Array("1 0.5 0.5 0.5 0.5 1 2 3 1 a.jpg\n1 1 5 2 2 6 3 3 -1\n2 1 0 0 0 0 0 0 2 b.jpg\n\n".utf8)),
      ExportedFile(name: "sparse/0/points3D.txt", bytes: Array("5 1 2 3 9 9 9 0.5 1 0\n6 1 1 1\n".utf8)),
    ],
    [
      ExportedFile(name: "sparse/cameras.bin", bytes: binaryCameras),
      ExportedFile(name: "sparse/images.bin", bytes: binaryImages),
      ExportedFile(name: "sparse/points3D.bin", bytes: binaryPoints),
      ExportedFile(
        name: "stereo/depth_maps/a.geometric.bin",
        bytes: joined([Array("3&2&1&".utf8), ones])),
    ],
  ].map { [0] + Bundle.write($0) } + [[4] + image()] + modelSeeds()
}

private let binaryCameras = joined([
  little(1, 8), little(1), little(0), little(6, 8), little(4, 8), doubles([5, 3, 2]),
])
private let binaryImages = joined([
  little(1, 8), little(1), doubles([1, 0, 0, 0, 1, 2, 3]), little(1), [0x61, 0], little(1, 8), doubles([1, 1]),
  little(5, 8),
])
private let binaryPoints = joined([
  little(1, 8), little(5, 8), doubles([1, 2, 3]), [9, 9, 9], doubles([0.5]), little(1, 8), little(1), little(0),
])
private let ones = joined([[UInt8]](repeating: little(0x3F80_0000), count: 6))

/// Models of COLMAP whose files are read without a tree.
private func modelSeeds() -> [[UInt8]] {
  [
    joined([[5], Array("1 PINHOLE 6 4 5 5 3 2\n".utf8)]),
    joined([[6], Array("1 1 0 0 0 0 0 0 1 a.jpg\n1 1 5 2 2 -1\n".utf8)]),
    joined([[7], binaryCameras]), joined([[8], binaryImages]), joined([[9], Array("3&2&1&".utf8), ones]),
  ]
}

private func joined(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap { $0 } }

private func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

private func doubles(_ values: [Double]) -> [UInt8] {
  values.flatMap { little(Int(bitPattern: UInt(truncatingIfNeeded: $0.bitPattern)), 8) }
}

/// OpenEXR image of 3×2 floats of one meter.
private func image() -> [UInt8] {
  func attribute(_ name: String, _ kind: String, _ value: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0] + Array(kind.utf8) + [0] + little(value.count) + value
  }
  let one = little(0x3F80_0000)
  let window: [UInt8] = little(0, 8) + little(2) + little(1)
  var channels: [UInt8] = [0x52, 0]
  for value in [2, 0, 1, 1] { channels += little(value) }
  var head: [UInt8] = [0x76, 0x2F, 0x31, 0x01]
  head += little(2)
  head += attribute("channels", "chlist", channels + [0])
  head += attribute("compression", "compression", [0])
  head += attribute("dataWindow", "box2i", window)
  head += attribute("displayWindow", "box2i", window)
  head += attribute("lineOrder", "lineOrder", [0])
  head += attribute("pixelAspectRatio", "float", one)
  head += attribute("screenWindowCenter", "v2f", little(0, 8))
  head += attribute("screenWindowWidth", "float", one)
  head.append(0)
  let start = head.count + 16
  let lines = (0..<2).flatMap { little($0) + little(12) + one + one + one }
  return head + little(start, 8) + little(start + 20, 8) + lines
}

func fuzz(_ bytes: [UInt8]) {
  guard let kind = bytes.first else { return }
  let rest = bytes.dropFirst()
  switch kind % 10 {
  case 0: read(Bundle(rest))
  case 1:
    guard let archive = try? ZipArchive(Array(rest), name: "scan") else { return }
    for name in archive.names {
      promise(!name.hasPrefix("/") && !name.split(separator: "/").contains(".."), "a name stays within the archive")
      if let file = try? archive.bytes(name, limit: 1 << 20) {
        promise(file.count <= 1 << 20, "a file is within its limit")
      }
    }
    read(archive)
  case 2:
    if let unpacked = try? LZFSE.unpack(Array(rest), limit: 1 << 20) {
      promise(unpacked.count <= 1 << 20, "what is unpacked is within its limit")
    }
  case 4:
    if let map = try? DepthImageReader.floats(ofEXR: Array(rest), "a.exr", frame: 0) {
      promise(map.samples.count == map.width * map.height, "an image has a sample for each pixel")
    }
  case 5: _ = try? COLMAPText.cameras(Array(rest), "a")
  case 6:
    guard let images = try? COLMAPText.images(Array(rest), "a") else { return }
    promise(images.allSatisfy { $0.observations.count <= COLMAPModel.mostObservations }, "points are limited")
  case 7: _ = try? COLMAPBinary.cameras(Array(rest), "a")
  case 8: _ = try? COLMAPBinary.images(Array(rest), "a")
  case 9:
    if let map = try? COLMAPDepthMap.read(Array(rest), "a.bin", frame: 0) {
      promise(map.samples.count == map.width * map.height, "a map has a sample for each pixel")
    }
  default:
    var hints = ScanImporter.Hints()
    hints.samples = .whole16
    read { () throws(ScanError) in try RawDepthFile(Array(rest), hints) }
  }
}

private func read(_ tree: any FileTree) {
  if Record3D.recognizes(tree) { read { () throws(ScanError) in try Record3D(tree) } }
  if Record3DImages.recognizes(tree) { read { () throws(ScanError) in try Record3DImages(tree) } }
  if Polycam.recognizes(tree) { read { () throws(ScanError) in try Polycam(tree) } }
  if TransformsFile.recognizes(tree) { read { () throws(ScanError) in try TransformsFile(tree) } }
  if COLMAP.recognizes(tree) { read { () throws(ScanError) in try COLMAP(tree) } }
  if Scanner3DAppReader.recognizes(tree) { read { () throws(ScanError) in try Scanner3DAppReader(tree) } }
  if StrayScanner.recognizes(tree) { read { () throws(ScanError) in try StrayScanner(tree) } }
  if ARKitScenes.recognizes(tree) { read { () throws(ScanError) in try ARKitScenes(tree) } }
  if TUMRecording.recognizes(tree) { read { () throws(ScanError) in try TUMRecording(tree) } }
  if RawDepthFile.recognizes(tree) {
    read { () throws(ScanError) in try RawDepthFile(folder: tree, ScanImporter.Hints()) }
  }
}

private func read(_ open: () throws(ScanError) -> any ScanSource) {
  guard let source = try? open() else { return }
  promise(source.header.area > 0 && source.count >= 0, "a scan has a size")
  // Large inputs take long and cover no new code.
  guard source.header.area <= 65_536 else { return }
  for number in 0..<min(source.count, 16) {
    guard let frame = try? source.frame(at: number) else { continue }
    promise(frame.depth.count == source.header.area, "a frame is of the header's size")
  }
  for number in 0..<min(source.imageCount, 4) { _ = try? source.image(at: number) }
}
