import Foundation
import MienLiveness
import MienCodecs
import MienCore
import MienTracking
import Testing

/// Real videos with the real tracker; Benchmarks/PassiveTable generates the complete table from scripts/make-attacks.
@Suite(.enabled(if: PassiveFootage.isAvailable)) struct `Passive signals of real footage` {
  @Test(arguments: ["zubair/real.mov", "pyfeat/single_face.mp4", "intel_asl/yes.mkv"])
  func `genuine footage is not suspect`(clip: String) throws {
    let frames = try PassiveFootage.frames(
      ["-t", "7", "-i", "\(PassiveFootage.folder)/\(clip)"], filter: "fps=15,scale=480:-2")
    let monitor = try PassiveFootage.watch(frames)
    #expect(monitor.findings.filter { if case .suspect = $0.result { true } else { false } }.map(\.check) == [])
    #expect(monitor.assessment.outcome == .unsuspicious)
  }

  @Test func `a mounted photograph is too still`() throws {
    let frames = try PassiveFootage.photograph(filter: "noise=alls=8:allf=t")
    #expect(try PassiveFootage.reasons(frames).contains("too-still"))
    #expect(try PassiveFootage.watch(frames).assessment.outcome == .refused)
  }

  /// The sheet turns by ±53° about its vertical axis, in front of a camera at a distance of twice its width.
  @Test func `a turning photograph stretches like a sheet`() throws {
    let angle = "(0.92*sin(in/10))"
    // Pinhole camera: the nearer edge becomes larger.
    let left = "(1+0.25*sin\(angle))"
    let right = "(1-0.25*sin\(angle))"
    let corners = [
      ("x0", "W/2-W/2*cos\(angle)/\(left)"), ("y0", "H/2-H/2/\(left)"), ("x1", "W/2+W/2*cos\(angle)/\(right)"),
      ("y1", "H/2-H/2/\(right)"), ("x2", "W/2-W/2*cos\(angle)/\(left)"), ("y2", "H/2+H/2/\(left)"),
      ("x3", "W/2+W/2*cos\(angle)/\(right)"), ("y3", "H/2+H/2/\(right)"),
    ].map { "\($0.0)='\($0.1)'" }.joined(separator: ":")
    let frames = try PassiveFootage.photograph(filter: "perspective=\(corners):sense=destination:eval=frame")
    #expect(try PassiveFootage.reasons(frames).contains("stretches-like-a-sheet"))
  }

  @Test func `a looping clip repeats itself`() throws {
    let clip = "\(PassiveFootage.folder)/zubair/real.mov"
    let frames = try PassiveFootage.frames(["-ss", "2", "-t", "1.6", "-i", clip], filter: "fps=15,scale=480:-2")
    #expect(try PassiveFootage.reasons(frames + frames + frames).contains("frames-repeated"))
  }
}

/// Video frames extracted with ffmpeg, and the monitor's findings for them.
enum PassiveFootage {
  static let folder = (Parts.shared ?? "") + "/data/face_video"

  static let isAvailable: Bool = {
    let ready =
      FileManager.default.fileExists(atPath: folder + "/zubair/real.mov")
      && FileManager.default.fileExists(atPath: "/usr/bin/ffmpeg")
    if !ready { print("SKIPPED Passive signals of real footage: shared/data or ffmpeg not found") }
    return ready && Parts.haveMedia
  }()

  static func photograph(filter: String) throws -> [[UInt8]] {
    let photo = "\(Parts.folder)/media/0-f1-su-ph.jpg"
    return try frames(["-loop", "1", "-framerate", "15", "-t", "4", "-i", photo], filter: "scale=480:480," + filter)
  }

  /// Returns JPEG files that ffmpeg writes to a temporary directory.
  static func frames(_ input: [String], filter: String, quality: String = "3") throws -> [[UInt8]] {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mien-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    tool.arguments =
      ["-v", "error", "-nostdin"] + input + ["-an", "-vf", filter, "-q:v", quality, "\(directory.path)/%05d.jpg"]
    try tool.run()
    tool.waitUntilExit()
    try #require(tool.terminationStatus == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    return try names.map { [UInt8](try Data(contentsOf: directory.appendingPathComponent($0))) }
  }

  /// The tracker's observations of frames at 15 per second.
  static func observations(_ frames: [[UInt8]]) throws -> [FaceObservation] {
    var engine = try FaceTracker(Parts.models.get())
    var track = FaceTrackState()
    return try frames.enumerated().map { index, bytes in
      let frame = EncodedFrame(bytes: bytes, at: MonotonicInstant(nanoseconds: Int64(index) * 66_666_667))
      return try engine.observe(frame, after: &track)
    }
  }

  static func watch(_ frames: [[UInt8]]) throws -> PassiveSignalMonitor {
    var monitor = PassiveSignalMonitor(settings: .recording)
    for observation in try observations(frames) { monitor.process(observation) }
    return monitor
  }

  static func reasons(_ frames: [[UInt8]]) throws -> [String] {
    try watch(frames).findings.compactMap { finding in
      guard case .suspect(_, let reason) = finding.result else { return nil }
      return reason
    }
  }
}
