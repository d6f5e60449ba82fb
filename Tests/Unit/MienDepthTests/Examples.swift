import MienTestGenerators
import MienScanFormat
import MienCore
import Testing

/// Depth maps of many kinds, small and fast to generate.
enum Maps: String, CaseIterable {
  case flat, slope, sphere, noise, holes, halves, cutHalves, sparseValues, empty, extremes, still

  func frame(_ index: Int, width: Int, height: Int) -> [UInt16] {
    var generator = SplitMixGenerator(
      seed:
        UInt64(self == .still ? 0 : index) &* 77 &+ UInt64(width) &+ UInt64(rawValue.utf8.count) &* 1009)
    return (0..<width * height).map { place in
      let (x, y) = (place % width, place / width)
      let hill = 1500 + x * 3 - y * 2 + (x - width / 2) * (x - width / 2) / 16 + index * 5
      switch self {
      case .flat: return 1234
      case .slope: return UInt16(1000 + x * 4 + y * 2 + index)
      case .sphere: return UInt16(hill) + UInt16.random(in: 0...2, using: &generator)
      case .noise: return UInt16.random(in: 0...UInt16.max, using: &generator)
      case .holes: return Int.random(in: 0..<6, using: &generator) == 0 ? 0 : UInt16(hill)
      case .halves: return Self.half(hill, cut: false)
      case .cutHalves: return Self.half(hill, cut: true)
      case .sparseValues: return UInt16(hill / 37 * 37)
      case .empty: return 0
      case .extremes: return Bool.random(using: &generator) ? .max : 1
      case .still: return UInt16.random(in: 1000...1400, using: &generator) + (place % 9 == 0 ? UInt16(index % 2) : 0)
      }
    }
  }

  /// Returns a distance in millimeters, converted from a 16-bit float in meters as by some apps.
  private static func half(_ millimeters: Int, cut: Bool) -> UInt16 {
    let meters = Double(millimeters) / 1000
    var unit = 1.0 / 1024
    while meters >= unit * 2048 { unit *= 2 }
    let rounded = (meters / unit).rounded(.down) * unit * 1000
    return UInt16((rounded + (cut ? 0 : 0.5)).rounded(.down))
  }
}

/// Scan for tests of writing, reading and damage.
struct Example {
  let header: ScanHeader
  let frames: [ScanFrame]
  let images: [ScanImage]

  init(frames count: Int, width: Int = 12, height: Int = 10, map: Maps = .sphere) throws {
    header = try #require(
      ScanHeader(
        device: "iPhone 13 Pro", sensor: .lidar, width: width, height: height, micrometersPerStep: 1000, world: .yUp,
        clock: .boot))
    frames = try (0..<count).map { index in
      let turn = Float(index) * 0.1
      let pose = try CameraPose(
        right: [1 - 2 * turn * turn / (1 + turn * turn), 0, -2 * turn / (1 + turn * turn)], up: [0, 1, 0],
        back: [2 * turn / (1 + turn * turn), 0, 1 - 2 * turn * turn / (1 + turn * turn)],
        position: [turn, 0.1, -0.5])
      return try #require(
        ScanFrame(
          width: width, height: height, depth: map.frame(index, width: width, height: height),
          confidence: index % 3 == 2 ? nil : (0..<width * height).map { UInt8(($0 + index) / 7 % 3) },
          pose: index % 4 == 3 ? nil : pose,
          intrinsics: PinholeIntrinsics(fx: 200 + Float(index), fy: 201, cx: Float(width) / 2, cy: Float(height) / 2),
          at: MonotonicInstant(nanoseconds: Int64(index) * 16_666_667)))
    }
    let image = try #require(
      ScanImage(
        role: .photo, bytes: [0xFF, 0xD8, 0xFF, 0xE0], pose: frames.first?.pose,
        intrinsics: PinholeIntrinsics(fx: 1400, fy: 1400, cx: 960, cy: 720), at: MonotonicInstant(nanoseconds: 5)))
    let plain = try #require(
      ScanImage(role: .colorFrame, bytes: [1, 2, 3], pose: nil, intrinsics: nil, at: nil))
    images = [image, plain]
  }

  /// Encodes the bundle and returns the end of each record.
  func written(_ coding: ScanWriter.Coding = .dense, finished: Bool = true) throws -> (bytes: [UInt8], ends: [Int]) {
    var writer = ScanWriter(header, coding: coding)
    var bytes = writer.start()
    var ends = [bytes.count]
    for (index, frame) in frames.enumerated() {
      bytes += try writer.append(frame)
      ends.append(bytes.count)
      if index < images.count {
        bytes += try writer.append(images[index])
        ends.append(bytes.count)
      }
    }
    if finished { bytes += writer.finish() }
    return (bytes, ends)
  }
}

/// Reports whether two frames are equal in all fields.
func same(_ a: ScanFrame, _ b: ScanFrame) -> Bool {
  a.depth == b.depth && a.confidence == b.confidence && a.pose == b.pose && a.intrinsics == b.intrinsics && a.at == b.at
    && a.width == b.width && a.height == b.height
}
