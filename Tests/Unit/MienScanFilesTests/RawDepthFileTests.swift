import MienScanFormat
import MienCore
import MienScanFiles
import Testing

@Suite struct `Raw depth files` {
  private func folder(_ count: Int, _ metadata: String? = nil) throws -> Place {
    let place = try Place()
    try place.write([UInt8](repeating: 4, count: count), "depth_scan.bin")
    if let metadata { try place.write(metadata, "metadata.json") }
    return place
  }

  @Test func `bytes that fit only one sample type are read with it`() throws {
    // 3 frames of 256×192 floats: as integers, the same bytes would be 6 frames, which contradicts the metadata.
    let metadata =
      #"{"device":"iPhone 13 Pro","photo_count":3,"depth_frame_count":3,"total_depth_bytes":589824}"#
    let place = try folder(256 * 192 * 4 * 3, metadata)
    defer { place.remove() }
    let error = #expect(throws: ScanError.self) { try ScanImporter(path: place.path) }
    // Portrait and landscape maps have the same number of samples: the sender must specify the orientation.
    #expect(error?.reason.contains("256×192 f32") == true && error?.reason.contains("192×256 f32") == true)
    #expect(error?.reason.contains("u16") == false)
    var hints = ScanImporter.Hints()
    hints.size = (256, 192)
    let scan = try ScanImporter(path: place.path, hints: hints)
    #expect(scan.format == .rawDepth && scan.frameCount == 3 && scan.header.device == "iPhone 13 Pro")
    #expect(scan.notes.contains { $0.contains("256×192 f32") })
  }

  @Test func `integers are read with the sender's layout`() throws {
    var hints = ScanImporter.Hints()
    hints.size = (256, 192)
    hints.samples = .whole16
    let place = try folder(256 * 192 * 2 * 2)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path + "/depth_scan.bin", hints: hints)
    #expect(scan.frameCount == 2)
    let frame = try scan.frame(at: 1)
    #expect(frame.depth.allSatisfy { $0 == 0x0404 })
    // The default camera has its principal point at the center of the map.
    #expect(frame.intrinsics.cx == 127.5 && frame.intrinsics.cy == 95.5)
  }

  @Test func `metadata next to the maps gives their layout in either form`() throws {
    let format = #"{"width":256,"height":192,"pixel":"uint16_mm"}"#
    for metadata in [
      #"{"depth_format":\#(format)}"#, #"{"depth_format":"u16","depth_width":256,"depth_height":192}"#,
      #"{"depth_format":{"pixel":"uint16_mm"},"depth_width":256,"depth_height":192}"#,
    ] {
      let place = try folder(256 * 192 * 4, metadata)
      defer { place.remove() }
      let scan = try ScanImporter(path: place.path)
      #expect(scan.frameCount == 2 && (scan.header.width, scan.header.height) == (256, 192), "\(metadata)")
    }
    for pixel in [#""u16""#, "16", "[]"] {
      let place = try folder(256 * 192 * 4, #"{"depth_format":{"width":256,"height":192,"pixel":\#(pixel)}}"#)
      defer { place.remove() }
      let error = #expect(throws: ScanError.self) { try ScanImporter(path: place.path) }
      #expect(error?.code == .damaged, "\(pixel)")
    }
  }

  @Test func `all matching layouts are named`() throws {
    let place = try folder(256 * 192 * 4)
    defer { place.remove() }
    let error = #expect(throws: ScanError.self) { try ScanImporter(path: place.path) }
    #expect(error?.code == .refused)
    for layout in ["256×192 u16 × 2 frames", "192×256 f32 × 1 frames", "256×192 f16 × 2 frames"] {
      #expect(error?.reason.contains(layout) == true)
    }
  }

  @Test func `the example in the app's own documentation is rejected with its numbers`() throws {
    // 14 567 890 bytes for 287 frames is not an integer number of bytes per frame.
    let place = try folder(14_567_890, #"{"photo_count":3,"depth_frame_count":287,"total_depth_bytes":14567890}"#)
    defer { place.remove() }
    let error = #expect(throws: ScanError.self) { try ScanImporter(path: place.path) }
    #expect(error?.code == .refused && error?.reason.contains("287 frames") == true)
  }

  @Test(arguments: [
    #"{"depth_frame_count":1,"total_depth_bytes":7}"#, #"{"depth_frame_count":0}"#,
    #"{"depth_frame_count":1000000000}"#,
    #"{"depth_frame_count":-3}"#, "not JSON",
  ])
  func `contradictory metadata is rejected`(metadata: String) throws {
    let place = try folder(256 * 192 * 2, metadata)
    defer { place.remove() }
    #expect(throws: ScanError.self) { try ScanImporter(path: place.path) }
  }

  @Test func `an empty scan is rejected`() throws {
    let place = try folder(0)
    defer { place.remove() }
    #expect(throws: ScanError(.missing, "", byte: 0)) { try ScanImporter(path: place.path) }
  }
}
