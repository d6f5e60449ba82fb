import Foundation
import MienScanFormat
import MienCore
import MienScanFiles
import Testing

/// Chair scan of the shared data: 70 frames of a phone's LiDAR.
@Suite(.enabled(if: RealScan.isThere)) struct RealScanTests: ExportExamples {
  @Test func `the chair scan is read as the app wrote it`() throws {
    let scan = try ScanImporter(path: try #require(RealScan.chair))
    #expect(scan.format == .scanner3D && scan.frameCount == 70 && scan.imageCount == 5 && scan.notes.isEmpty)
    #expect(scan.header.width == 256 && scan.header.height == 192)
    let frame = try scan.frame(at: 0)
    // A phone's wide-angle camera: a focal length of 193 pixels at a width of 256.
    #expect(abs(frame.intrinsics.fx - 193.02) < 0.01 && abs(frame.intrinsics.cx - 128.37) < 0.01)
    #expect(frame.pose != nil && frame.confidence?.contains(2) == true)
  }

  @Test func `the chair scan round-trips through the app's format exactly`() throws {
    let scan = try ScanImporter(path: try #require(RealScan.chair))
    let frames = try (0..<16).map { try scan.frame(at: $0) }
    // Images of frames 0 and 15, and one of a frame that is not exported.
    let images = try (0..<3).map { try scan.image(at: $0) }
    let (again, notes, place) = try exported(.scanner3D, scan.header, frames, images: images)
    defer { place.remove() }
    #expect(again.header == scan.header && again.frameCount == 16 && again.imageCount == 3 && notes.isEmpty)
    for (number, frame) in frames.enumerated() {
      let back = try again.frame(at: number)
      #expect(back.depth == frame.depth && back.confidence == frame.confidence && back.at == frame.at)
      #expect(back.pose == frame.pose && back.intrinsics == frame.intrinsics)
    }
    for (number, image) in images.enumerated() {
      let back = try again.image(at: number)
      #expect(back.bytes == image.bytes && back.intrinsics == image.intrinsics)
      #expect(back.pose == image.pose && back.at == image.at)
    }
  }

  @Test func `the chair scan in a Record3D archive is the same scan`() throws {
    let scan = try ScanImporter(path: try #require(RealScan.chair))
    let frames = try (0..<16).map { try scan.frame(at: $0) }
    let images = try (0..<2).map { try scan.image(at: $0) }
    let (again, _, place) = try exported(.record3DArchive, scan.header, frames, images: images)
    defer { place.remove() }
    #expect(again.format == .record3D && again.frameCount == 16 && again.imageCount == 2)
    for (number, frame) in frames.enumerated() {
      let back = try again.frame(at: number)
      #expect(back.depth == frame.depth && back.confidence == frame.confidence && back.at == frame.at)
      #expect(back.intrinsics == frame.intrinsics)
      #expect(differ(try #require(back.pose), try #require(frame.pose)) < 1e-5)
    }
    for (number, image) in images.enumerated() {
      let back = try again.image(at: number)
      #expect(back.bytes == image.bytes && back.intrinsics == image.intrinsics && back.at == image.at)
    }
  }

  @Test func `real frames need half of RVL's size and less than 20 kB with confidence`() throws {
    let scan = try ScanImporter(path: try #require(RealScan.chair))
    var encoder = DepthEncoder(width: 256, height: 192, micrometersPerStep: 1000)
    var decoder = DepthDecoder(width: 256, height: 192, micrometersPerStep: 1000)
    var writer = ScanWriter(scan.header)
    var (coded, written) = (0, 0)
    // Frames 0 to 7: RVL takes 245 660 bytes for them (rvl 1.0.4), 30 708 per frame.
    for number in 0..<8 {
      let frame = try scan.frame(at: number)
      let bytes = encoder.encode(frame.depth, asKey: false).bytes
      #expect(try decoder.decode(bytes[...]) == frame.depth)
      coded += bytes.count
      written += try writer.append(frame).count
    }
    #expect(coded * 2 < RealScan.rvlBytes)
    #expect(written < 8 * 20_000)
  }
}

enum RealScan {
  static let rvlBytes = 245_660

  static let chair: String? = {
    var places: [String] = []
    if let shared = ProcessInfo.processInfo.environment["MIEN_SHARED"] { places.append(shared) }
    var folder = URL(fileURLWithPath: #filePath)
    while folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
      places.append(folder.appendingPathComponent("shared").path)
    }
    return places.map { $0 + "/data/lidar/3dscannerapp_chair" }.first { FileManager.default.fileExists(atPath: $0) }
  }()

  static let isThere: Bool = {
    if chair == nil { print("SKIPPED Real scan: shared/data not found") }
    return chair != nil
  }()
}
