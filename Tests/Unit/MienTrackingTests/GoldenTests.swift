import Foundation
import MienImaging
import MienCore
import MienTracking
import Testing

/// Photos of real faces, used unmodified and mirrored.
private let photographs = [
  "0-f1-su-ph", "0-f15-hao-ph", "15-f13-anc-ph", "45-m7-di-ph", "astronaut", "biden", "obama", "obama2", "obama3",
  "obama_partial_face", "single_face",
]

@Suite(.enabled(if: Parts.haveMedia), .serialized) struct `Face tracking in photographs` {
  private struct Seen: Sendable {
    let stem: String
    let mirrored: Bool
    let observation: FaceObservation
  }

  private static func observe(_ stem: String, mirrored: Bool) throws -> FaceObservation {
    var engine = try FaceTracker(Parts.models.get())
    var track = FaceTrackState()
    return try engine.observe(Parts.frame(stem, mirrored: mirrored), at: .zero, after: &track)
  }

  /// Observations of every photo, unmodified and mirrored, computed once for all tests.
  private static let seen = Result {
    try photographs.flatMap { stem in
      try [false, true].map { mirrored in
        Seen(stem: stem, mirrored: mirrored, observation: try observe(stem, mirrored: mirrored))
      }
    }
  }

  // Tolerances: pose 0.3°, points 0.5 pixel, coefficients 0.01, because other processors round differently.
  // MIEN_RECORD=1 rewrites the table; review the difference before committing it.
  @Test func `results agree with the recorded table`() throws {
    let table = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/faces.csv")
    var rows: [String] = [GoldenRow.header]
    for seen in try Self.seen.get() {
      let face = try #require(seen.observation.face, "\(seen.stem)")
      rows.append(GoldenRow(seen.stem, seen.mirrored, seen.observation, face).text)
    }
    if ProcessInfo.processInfo.environment["MIEN_RECORD"] == "1" {
      try (rows.joined(separator: "\n") + "\n").write(to: table, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(recorded.count == rows.count)
    for (old, new) in zip(recorded, rows) where old != new { GoldenRow.compare(old, new) }
  }

  @Test(.enabled(if: Reference.isAvailable)) func `results agree with MediaPipe`() throws {
    let reference = try Reference()
    var (points, coefficients): ([Double], [Double]) = ([], [])
    for seen in try Self.seen.get() {
      let wanted = try #require(reference.faces[seen.mirrored ? "\(seen.stem)_mir" : seen.stem] ?? nil)
      let face = try #require(seen.observation.face)
      let size = SIMD2(Double(seen.observation.frameWidth), Double(seen.observation.frameHeight))
      for (ours, theirs) in zip(face.landmarks.points, wanted.lm) {
        let offset = (SIMD2(Double(ours.x), Double(ours.y)) - SIMD2(theirs[0], theirs[1])) * size
        points.append((offset * offset).sum().squareRoot())
      }
      for name in BlendshapeName.allCases where name != .tongueOut {
        let (ours, theirs) = (try #require(face.blendshapes[name]), try #require(wanted.bs[name.text]))
        coefficients.append(abs(Double(ours) - theirs))
      }
      let pose = wanted.pose
      #expect(abs(face.pose.yaw - pose.yaw) < 0.5, "\(seen.stem)")
      #expect(abs(face.pose.pitch - pose.pitch) < 0.5, "\(seen.stem)")
      #expect(abs(face.pose.roll - pose.roll) < 0.5, "\(seen.stem)")
    }
    #expect(points.count == 22 * Landmarks.count)
    let meanDistance = points.reduce(0, +) / Double(points.count)
    let meanDifference = coefficients.reduce(0, +) / Double(coefficients.count)
    print("MEASURED against MediaPipe: landmarks \(meanDistance) px, coefficients \(meanDifference), means of 22 faces")
    #expect(meanDistance < 0.15)
    #expect(meanDifference < 0.005)
  }

  @Test(arguments: ["BWPictureHuman", "free-mountain-vector-01"])
  func `no face is found in images without one`(stem: String) throws {
    let observation = try Self.observe(stem, mirrored: false)
    #expect(observation.face == nil)
    #expect(observation.faceCount == 0)
  }

  @Test func `several faces are counted`() throws {
    #expect(try Self.observe("multi_face", mirrored: false).faceCount > 1)
  }

  @Test func `mirroring flips yaw and roll and swaps the sides`() throws {
    let turned = try Self.seen.get().filter { $0.stem == "45-m7-di-ph" }
    let plain = try #require(turned[0].observation.face)
    let mirrored = try #require(turned[1].observation.face)
    #expect(plain.pose.yaw < -25, "the subject looks to their right, the picture's left")
    #expect(mirrored.pose.yaw > 25)
    #expect(abs(plain.pose.pitch - mirrored.pose.pitch) < 3)
    #expect(abs(plain.pose.roll + mirrored.pose.roll) < 3)
  }

  // The landmarks show which eye is on the image's right, which is the subject's left one, and the position of its
  // iris; the coefficients named left must agree.
  @Test func `side names are the subject's`() throws {
    var (places, coefficients): ([Double], [Double]) = ([], [])
    for seen in try Self.seen.get() {
      let face = try #require(seen.observation.face)
      let points = face.landmarks.points
      #expect(points[263].x > points[33].x)
      // From the inner corner (362) to the outer (263); 473 is the iris.
      places.append(Double((points[473].x - points[362].x) / (points[263].x - points[362].x)))
      let out = try #require(face.blendshapes[.eyeLookOutLeft])
      let inwards = try #require(face.blendshapes[.eyeLookInLeft])
      coefficients.append(Double(out - inwards))
    }
    #expect(correlation(places, coefficients) > 0.6)
  }

  private func correlation(_ a: [Double], _ b: [Double]) -> Double {
    let count = Double(a.count)
    let (meanA, meanB) = (a.reduce(0, +) / count, b.reduce(0, +) / count)
    let shared = zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) }
    let (squaresA, squaresB) = (
      a.reduce(0) { $0 + ($1 - meanA) * ($1 - meanA) }, b.reduce(0) { $0 + ($1 - meanB) * ($1 - meanB) }
    )
    return shared / (squaresA * squaresB).squareRoot()
  }
}

/// Row of the recorded table.
private struct GoldenRow {
  static let points = [1, 10, 33, 61, 152, 263, 291, 468, 473]
  static let names: [BlendshapeName] = [
    .browInnerUp, .eyeBlinkLeft, .eyeBlinkRight, .eyeLookOutLeft, .jawOpen, .mouthSmileLeft, .mouthSmileRight,
    .mouthPucker, .tongueOut,
  ]
  static let header =
    (["face", "mirrored", "yaw", "pitch", "roll"] + points.map { "x\($0) y\($0)" } + names.map(\.text))
    .joined(separator: ",")

  let text: String

  init(_ stem: String, _ mirrored: Bool, _ observation: FaceObservation, _ face: ObservedFace) {
    func figure(_ value: Float?, _ places: Int) -> String {
      value.map { String(format: "%.\(places)f", Double($0)) } ?? "nil"
    }
    let size = SIMD2(Float(observation.frameWidth), Float(observation.frameHeight))
    let points = Self.points.map { index in
      let point = SIMD2(face.landmarks.points[index].x, face.landmarks.points[index].y) * size
      return "\(figure(point.x, 1)) \(figure(point.y, 1))"
    }
    let pose = [face.pose.yaw, face.pose.pitch, face.pose.roll].map { figure($0, 2) }
    let coefficients = Self.names.map { figure(face.blendshapes[$0], 3) }
    text = ([stem, mirrored ? "yes" : "no"] + pose + points + coefficients).joined(separator: ",")
  }

  static func compare(_ old: String, _ new: String) {
    let (old, new) = (old.split(separator: ","), new.split(separator: ","))
    guard old.count == new.count, old.count == 5 + points.count + names.count, old[..<2] == new[..<2] else {
      Issue.record("the table's rows or columns have changed; set MIEN_RECORD=1 to rewrite it")
      return
    }
    for column in 2..<old.count {
      let limit = column < 5 ? 0.3 : column < 5 + points.count ? 0.5 : 0.01
      for (was, now) in zip(old[column].split(separator: " "), new[column].split(separator: " ")) {
        let isClose = Double(was).flatMap { was in Double(now).map { abs($0 - was) <= limit } } ?? (was == now)
        #expect(isClose, "\(old[0]) mirrored \(old[1]) column \(column): was \(was), is \(now)")
      }
    }
  }
}

/// Results of MediaPipe 1.2.2 for the same images.
private struct Reference {
  struct Face: Decodable {
    let lm: [[Double]]
    let bs: [String: Double]
    let mat: [[Double]]

    /// Pose from the matrix that maps the canonical face to camera coordinates.
    var pose: HeadPose {
      let ahead = SIMD3(mat[0][2], mat[1][2], mat[2][2])
      let toDegrees = 180 / Double.pi
      return HeadPose(
        yaw: Float(atan2(ahead.x, ahead.z) * toDegrees),
        pitch: Float(atan2(ahead.y, (ahead.x * ahead.x + ahead.z * ahead.z).squareRoot()) * toDegrees),
        roll: Float(atan2(mat[1][0], mat[1][1]) * toDegrees))
    }
  }

  static let path = Parts.shared.map { $0 + "/face-tracking/reference/mediapipe-1.2.2.json" }

  static let isAvailable: Bool = {
    let isAvailable = path.map { FileManager.default.fileExists(atPath: $0) } ?? false
    if !isAvailable { print("SKIPPED agreement with MediaPipe: shared/face-tracking not found") }
    return isAvailable
  }()

  let faces: [String: Face?]

  init() throws {
    faces = try JSONDecoder().decode(
      [String: Face?].self, from: Data(contentsOf: URL(fileURLWithPath: Self.path ?? "")))
  }
}
