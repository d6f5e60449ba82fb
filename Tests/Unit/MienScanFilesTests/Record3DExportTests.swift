import MienScanFormat
import MienCore
import MienScanFiles
import Testing

@Suite struct `Record3D export`: ExportExamples {
  @Test func `archive and folder have the same content and exports are deterministic`() throws {
    let frames = try frames()
    let (folder, folderNotes) = try written(.record3D, try header(), frames)
    let (files, notes) = try written(.record3DArchive, try header(), frames)
    #expect(files.map(\.name) == folder.map(\.name) && files.map(\.bytes) == folder.map(\.bytes))
    #expect(notes == folderNotes)
    #expect(try archive(files) == archive(try written(.record3DArchive, try header(), frames).files))
  }

  @Test func `intrinsics and times round-trip exactly and poses up to quaternion rounding`() throws {
    let frames = try frames()
    let (scan, notes, place) = try exported(.record3DArchive, try header(), frames)
    defer { place.remove() }
    #expect(scan.format == .record3D && notes.isEmpty && scan.imageCount == 0)
    for (number, frame) in frames.enumerated() {
      let again = try scan.frame(at: number)
      #expect(again.intrinsics == frame.intrinsics && again.at == frame.at)
      #expect(again.depth == frame.depth && again.confidence == frame.confidence)
      #expect(differ(try #require(again.pose), try #require(frame.pose)) < 1e-6)
    }
  }

  @Test(arguments: [ScanExportFormat.record3D, .record3DArchive])
  func `images are placed with their frames and missing ones are reported`(format: ScanExportFormat) throws {
    let frames = try frames()
    let some = [try image(of: frames[1]), try image(of: frames[6], filled: 8)]
    let (scan, notes, place) = try exported(format, try header(), frames, images: some)
    defer { place.remove() }
    #expect(notes == ["6 frames have no picture; other programs expect one for each."])
    #expect(scan.imageCount == 2)
    for (number, image) in some.enumerated() {
      let again = try scan.image(at: number)
      #expect(again.bytes == image.bytes && again.intrinsics == image.intrinsics && again.at == image.at)
    }
    for (number, frame) in frames.enumerated() {
      #expect(try scan.frame(at: number).intrinsics == frame.intrinsics)
    }
    let all = try frames.map { try image(of: $0) }
    #expect(try written(format, try header(), frames, images: all).notes.isEmpty)
  }

  @Test func `images with another size and second images of a frame are skipped`() throws {
    let frames = try frames()
    let first = try image(of: frames[0])
    let c = frames[1].intrinsics
    let large = try #require(
      ScanImage(
        role: .colorFrame, bytes: first.bytes, pose: frames[1].pose,
        intrinsics: PinholeIntrinsics(
          fx: c.fx * 20, fy: c.fy * 20, cx: (c.cx + 0.5) * 20 - 0.5, cy: (c.cy + 0.5) * 20 - 0.5), at: frames[1].at))
    let (scan, notes, place) = try exported(
      .record3DArchive, try header(), frames, images: [first, first, large])
    defer { place.remove() }
    #expect(scan.imageCount == 1 && notes.contains { $0.contains("2 pictures were left out") })
  }

  @Test func `a scan without confidence and poses round-trips without them`() throws {
    let frames = try frames(confidence: false, posed: false)
    let (scan, _, place) = try exported(.record3DArchive, try header(1000, .unleveled), frames)
    defer { place.remove() }
    #expect(scan.header.sensor == .trueDepth && scan.header.world == .unleveled && scan.frameCount == frames.count)
    let again = try scan.frame(at: 3)
    #expect(again.confidence == nil && again.pose == nil && again.depth == frames[3].depth)
  }
}
