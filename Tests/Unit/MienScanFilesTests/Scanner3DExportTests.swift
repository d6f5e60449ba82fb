import Foundation
import MienScanFormat
import MienCore
import MienScanFiles
import Testing

@Suite struct `3D Scanner App export`: ExportExamples {
  /// Frames whose camera parameters and timestamps are not round numbers in any unit.
  private func uneven() throws -> [ScanFrame] {
    try frames().enumerated().map { number, frame in
      let part = Float(number) * 0.000_37
      return try #require(
        ScanFrame(
          width: 12, height: 8, depth: frame.depth, confidence: frame.confidence, pose: frame.pose,
          intrinsics: PinholeIntrinsics(fx: 9.650_103 + part, fy: 9.650_21 - part, cx: 5.918_77 - part, cy: 3.824_73),
          at: MonotonicInstant(nanoseconds: 402_896_974_609_125 + Int64(number) * 33_366_701)))
    }
  }

  @Test func `a scan round-trips exactly`() throws {
    let frames = try uneven()
    let (scan, notes, place) = try exported(.scanner3D, try header(), frames)
    defer { place.remove() }
    #expect(scan.format == .scanner3D && scan.frameCount == frames.count && notes.isEmpty && scan.notes.isEmpty)
    for (number, frame) in frames.enumerated() {
      let again = try scan.frame(at: number)
      #expect(again.depth == frame.depth && again.confidence == frame.confidence && again.at == frame.at)
      #expect(again.pose == frame.pose && again.intrinsics == frame.intrinsics)
    }
  }

  /// Metadata of a frame, as parsed by other programs.
  private struct Described: Decodable {
    let cameraPoseARFrame: [Double]
    let intrinsics: [Double]
    let projectionMatrix: [Double]?
    let time: Double
    let frame_index: Int
  }

  @Test func `frame metadata matches the app's format`() throws {
    let frames = try frames()
    let (files, _) = try written(.scanner3D, try header(), frames)
    let numbers = (0..<frames.count).map { "0000\($0)" }
    let names = numbers.flatMap { ["conf_\($0).png", "depth_\($0).png", "frame_\($0).json"] } + ["info.json"]
    #expect(files.map(\.name).sorted() == names.sorted())
    let file = try #require(files.first(where: { $0.name == "frame_00001.json" }))
    let described = try JSONDecoder().decode(Described.self, from: Data(file.bytes))
    // Row by row, the position in the last column; a half turn about x in the second frame.
    let pose: [Double] = [1, 0, 0, 0.3, 0, -1, 0, -1.5, 0, 0, -1, 0.25, 0, 0, 0, 1]
    #expect(described.cameraPoseARFrame.map { ($0 * 1000).rounded() / 1000 } == pose)
    // A map of 12×8 corresponds to an image of 1920×1440 with common corners.
    let camera = described.intrinsics
    #expect(camera == [1642.5, 0, 1039.5, 0, 1890, 832, 0, 0, 1])
    let matrix = try #require(described.projectionMatrix)
    let (across, down): (Double, Double) = (1 - 13 / 12, 9.25 / 8 - 1)
    #expect(matrix.count == 16 && abs(matrix[0] - 1642.5 / 960) < 1e-12 && abs(matrix[5] - 1890 / 720) < 1e-12)
    #expect(abs(matrix[2] - across) < 1e-12 && abs(matrix[6] - down) < 1e-12)
    #expect(described.time == 4.033 && described.frame_index == 1)
    let info = try #require(files.first(where: { $0.name == "info.json" }))
    #expect(String(decoding: info.bytes, as: UTF8.self).contains("\"numImages\":8"))
  }

  @Test func `images are placed with their frames and keep their own intrinsics`() throws {
    let frames = try frames()
    let images = [try image(of: frames[2]), try image(of: frames[5], filled: 9)]
    let (scan, notes, place) = try exported(.scanner3D, try header(), frames, images: images)
    defer { place.remove() }
    #expect(scan.frameCount == frames.count && scan.imageCount == 2 && notes.isEmpty)
    for (number, image) in images.enumerated() {
      let again = try scan.image(at: number)
      #expect(again.bytes == image.bytes && again.intrinsics == image.intrinsics)
      #expect(again.pose == image.pose && again.at == image.at)
    }
    for number in [1, 2, 5] { #expect(try scan.frame(at: number).intrinsics == frames[number].intrinsics) }
    #expect(FileManager.default.fileExists(atPath: place.path + "/frame_00005.jpg"))
  }

  @Test func `an image taken apart from the frames has its own number`() throws {
    let frames = try frames()
    let beside = try image(of: frames[0])
    func changed(pose: CameraPose?, camera: PinholeIntrinsics?, at: MonotonicInstant?) throws -> ScanImage {
      try #require(ScanImage(role: .photo, bytes: beside.bytes, pose: pose, intrinsics: camera, at: at))
    }
    let between = MonotonicInstant(nanoseconds: frames[0].at.nanoseconds + 1_000_000)
    let other = PinholeIntrinsics(fx: 900, fy: 905, cx: 700.5, cy: 300.25)
    let images = [
      try changed(pose: frames[0].pose, camera: beside.intrinsics, at: between),
      // At the first frame's time, but by another camera, then from another position.
      try changed(pose: frames[0].pose, camera: other, at: frames[0].at),
      try changed(pose: frames[3].pose, camera: beside.intrinsics, at: frames[0].at),
      beside,
      // The frame already has an image.
      beside,
      // Images without pose, camera or time.
      try changed(pose: nil, camera: beside.intrinsics, at: between),
      try changed(pose: frames[0].pose, camera: nil, at: between),
      try changed(pose: frames[0].pose, camera: other, at: nil),
    ]
    let (scan, notes, place) = try exported(.scanner3D, try header(), frames, images: images)
    defer { place.remove() }
    #expect(notes == ["3 pictures were left out: the format takes JPEGs with a time, a pose and a camera."])
    #expect(scan.frameCount == frames.count && scan.imageCount == 5)
    let again = try (0..<5).map { try scan.image(at: $0) }
    #expect(again.map(\.at) == [beside.at, between, frames[0].at, frames[0].at, beside.at])
    #expect(again[2].intrinsics == other && again[3].pose == frames[3].pose && again[1].pose == frames[0].pose)
    #expect(try scan.frame(at: 0).intrinsics == frames[0].intrinsics)
  }

  @Test func `frames without a pose are skipped and reported and those without confidence are kept`() throws {
    let (posed, unposed, plain) = (try frames(), try frames(posed: false), try frames(confidence: false))
    let (scan, notes, place) = try exported(.scanner3D, try header(), [unposed[0], plain[1], unposed[2], posed[3]])
    defer { place.remove() }
    #expect(notes == ["2 frames without a pose were left out: the format requires poses."])
    #expect(scan.frameCount == 2)
    #expect(try scan.frame(at: 0).confidence == nil && scan.frame(at: 0).at == plain[1].at)
    #expect(try scan.frame(at: 1).confidence == posed[3].confidence && scan.frame(at: 1).depth == posed[3].depth)
  }

  @Test func `intrinsics that would be invalid at the image size remain in map pixels`() throws {
    let frame = try #require(
      ScanFrame(
        width: 12, height: 8, depth: [UInt16](repeating: 700, count: 96), confidence: nil, pose: .identity,
        intrinsics: PinholeIntrinsics(fx: 5000, fy: 5000.5, cx: 5.25, cy: 3.5), at: .zero))
    let (scan, _, place) = try exported(.scanner3D, try header(), [frame])
    defer { place.remove() }
    #expect(try scan.frame(at: 0).intrinsics == frame.intrinsics)
  }
}
