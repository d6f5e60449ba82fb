import MienScanFormat
import MienReconstruction
import MienImaging
import MienCore
import Testing

@Suite struct QualityTests {
  private let header = ScanHeader(
    device: "", sensor: .lidar, width: 16, height: 12, micrometersPerStep: 1000, world: .yUp, clock: .boot)

  /// Returns a camera on a circle around the origin that faces it; angles in degrees, positive to the subject's left.
  private func pose(_ azimuth: Float, _ height: Float = 0, radius: Float = 0.7) throws -> CameraPose {
    // A table of the angles used, so that no math library is needed.
    let table: [Float: (Float, Float)] = [
      0: (0, 1), 10: (0.173648, 0.984808), 20: (0.34202, 0.939693), 30: (0.5, 0.866025), 40: (0.642788, 0.766044),
      50: (0.766044, 0.642788), 60: (0.866025, 0.5),
    ]
    let (sine, cosine) = try #require(table[abs(azimuth)])
    let (sineUp, cosineUp) = try #require(table[height])
    let turn = azimuth < 0 ? -sine : sine
    let back: SIMD3<Float> = [turn * cosineUp, sineUp, cosine * cosineUp]
    let right: SIMD3<Float> = [cosine, 0, -turn]
    let up: SIMD3<Float> = [-turn * sineUp, cosineUp, -cosine * sineUp]
    return try CameraPose(right: right, up: up, back: back, position: back * radius)
  }

  private func report(
    _ poses: [CameraPose?], millimeters: UInt16 = 700, interval: Double = 0.2, times: [Double]? = nil,
    confidence: UInt8? = 2, holes: Int = 0, lost: Int = 0, photos: [CameraPose] = []
  ) throws -> [ScanFinding.Item: ScanFinding] {
    var inspector = ScanInspector(try #require(header))
    for (index, pose) in poses.enumerated() {
      var depth = [UInt16](repeating: millimeters, count: 192)
      if holes > 0 { for place in stride(from: 0, to: 192, by: holes) { depth[place] = 0 } }
      let at = try #require(MonotonicInstant(seconds: times?[index] ?? Double(index) * interval))
      inspector.see(
        try #require(
          ScanFrame(
            width: 16, height: 12, depth: depth, confidence: confidence.map { [UInt8](repeating: $0, count: 192) },
            pose: pose, intrinsics: PinholeIntrinsics(fx: 12, fy: 12, cx: 8, cy: 6),
            at: at)))
    }
    for _ in 0..<lost { inspector.lostFrame() }
    for photo in photos { inspector.see(photoFrom: photo) }
    return Dictionary(uniqueKeysWithValues: inspector.findings.map { ($0.item, $0) })
  }

  /// Returns poses at the front, left, right and top in steps of ten degrees.
  private func arc() throws -> [CameraPose] {
    let level: [Float] = [0, 10, 20, 30, 40, 50, 40, 30, 20, 10, 0, -10, -20, -30, -40, -50, -40, -30, -20, -10, 0]
    return try level.map { try pose($0) } + [10, 20, 30, 40, 30, 20, 10, 0, 0, 0].map { try pose(0, $0) }
  }

  @Test func `photos with poses fill gaps in the sweep`() throws {
    let ahead = try (0..<30).map { try pose([0, 10, 0, -10][$0 % 4]) }
    #expect(try report(ahead)[.coverage]?.grade == .fail)
    let photos = [try pose(50), try pose(-50)]
    let sides = try report(ahead, photos: photos)[.coverage]
    #expect(sides?.grade == .warn && sides?.words.contains("the top") == true)
    #expect(try report(ahead, photos: photos + [try pose(0, 40)])[.coverage]?.grade == .pass)
    // Without depth of the subject nothing was scanned, whatever the photos show.
    #expect(try report(ahead, millimeters: 0, photos: photos)[.coverage]?.grade == .notAssessed)
    #expect(try report([], photos: photos)[.coverage]?.grade == .notAssessed)
  }

  @Test func `a good scan passes every check`() throws {
    let report = try report(try arc(), interval: 0.3)
    for (item, finding) in report { #expect(finding.grade == .pass, "\(item.rawValue): \(finding.words)") }
    // From 50° left to 50° right.
    #expect(abs((report[.coverage]?.value ?? 0.0) - 100) < 0.5)
    #expect(abs((report[.turning]?.value ?? 0.0) - 33.3) < 0.5)
    // A chord of ten degrees on a circle of 0.7 m in 0.3 s.
    #expect(abs((report[.speed]?.value ?? 0.0) - 0.407) < 0.01)
  }

  @Test func `too fast a movement is reported`() throws {
    let report = try report(try arc(), interval: 0.05)
    #expect(report[.speed]?.grade == .fail && report[.turning]?.grade == .fail)
    #expect(report[.speed]?.words.contains("more slowly") == true)
  }

  @Test(arguments: [(1500, "50 to 100 cm"), (200, "50 to 100 cm")])
  func `a wrong distance is reported with the recommended one`(millimeters: Int, words: String) throws {
    let finding = try report(try arc(), millimeters: UInt16(millimeters))[.distance]
    #expect(finding?.grade == .fail && finding?.words.contains(words) == true)
    #expect(finding?.value == Double(Float(millimeters) * 0.001))
  }

  @Test func `a missing side is named from the subject's perspective`() throws {
    let left = try arc().filter { $0.position.x >= -0.01 }
    let finding = try report(left)[.coverage]
    #expect(finding?.grade == .fail)
    #expect(finding?.words.contains("right side") == true && finding?.words.contains("left side") == false)
    let level = try report(try arc().filter { $0.position.y < 0.01 })[.coverage]
    #expect(level?.grade == .warn && level?.words.contains("the top") == true)
  }

  @Test func `missing frames are counted by their timestamps and damage`() throws {
    let poses = try arc()
    var times = poses.indices.map { Double($0) * 0.2 }
    for index in 20..<times.count { times[index] += 2 }
    let finding = try report(poses, times: times)[.lostFrames]
    #expect(finding?.grade == .fail && finding?.words.hasPrefix("10 frames") == true)
    #expect(try report(poses, lost: 1)[.lostFrames]?.grade == .warn)
    #expect(try report(poses, times: times.reversed())[.lostFrames]?.words.contains("backwards") == true)
  }

  @Test func `times without a device clock are graded in the same way`() throws {
    let poses = try arc()
    // Nanoseconds between the frames, and centuries before the first and after the last.
    let times = [-8.9e9] + (0..<poses.count - 2).map { Double($0) * 1e-9 } + [8.9e9]
    let found = try report(poses, times: times)
    #expect(found[.lostFrames]?.grade == .fail && found[.lostFrames]?.words.hasPrefix("1000000000 frames") == true)
    #expect(found[.speed]?.grade == .fail && found[.turning]?.grade == .fail)
  }

  @Test func `every finding has complete messages`() throws {
    for found in [try report([]), try report(try arc()), try report(try arc(), interval: 0.01, holes: 40)] {
      for finding in found.values {
        #expect(!finding.remarks.isEmpty && !finding.words.contains("{"), "\(finding.words)")
        #expect(finding.remarks.allSatisfy { !$0.code.rawValue.hasPrefix("note.") })
      }
    }
  }

  @Test func `a check that could not be assessed does not pass`() throws {
    let report = try report([CameraPose?](repeating: nil, count: 40), confidence: nil)
    for item in [ScanFinding.Item.speed, .turning, .coverage, .confidence] {
      #expect(report[item]?.grade == .notAssessed && report[item]?.value == nil)
    }
    #expect(report[.poses]?.grade == .warn)
    let empty = try self.report([])
    #expect(empty[.frames]?.grade == .fail && empty[.distance]?.grade == .fail && empty[.holes]?.grade == .notAssessed)
  }

  @Test func `holes and low confidence are shares of the center area`() throws {
    let report = try report(try arc(), confidence: 1, holes: 4)
    // Every fourth sample of every fourth row is evaluated, and every fourth is a hole.
    #expect(report[.holes]?.grade == .fail && report[.holes]?.value == 1)
    #expect(report[.confidence]?.grade == .fail && report[.confidence]?.value == 0)
  }

  /// Native values and scores calculated by hand with the formulas of the reference implementation.
  @Test(arguments: [
    (128, 0.50196, 99.0, 0.0, 100.0, 100.0, 0.0), (0, 0, 2, 0, 0, 100, 0), (255, 1, 2, 0, 100, 1, 0),
    (51, 0.2, 50, 0, 100, 100, 0),
  ])
  func `luminance of a single tone is measured as the standard says`(
    tone: Int, mean: Double, meanScore: Double, varianceScore: Double, under: Double, over: Double, range: Double
  ) throws {
    let gray = Pixel(red: UInt8(tone), green: UInt8(tone), blue: UInt8(tone))
    let measures = try #require(
      ImageMeasures(Frame(width: 8, height: 8, filledWith: gray), x: 0..<8, y: 0..<8))
    #expect(abs(measures.luminanceMean.native - mean) < 1e-4)
    #expect(abs(measures.luminanceMean.score - meanScore) <= 1)
    #expect(measures.luminanceVariance.score == varianceScore)
    #expect(measures.underExposure.score == under && measures.overExposure.score == over)
    #expect(measures.dynamicRange.score == range)
  }

  @Test func `two tones have one bit of dynamic range and a variance of one quarter`() throws {
    var pixels = ContiguousArray(repeating: Pixel(red: 0, green: 0, blue: 0), count: 16)
    for place in 8..<16 { pixels[place] = Pixel(red: 255, green: 255, blue: 255) }
    let frame = try #require(Frame(width: 4, height: 4, pixels: pixels))
    let measures = try #require(ImageMeasures(frame, x: 0..<4, y: 0..<4))
    #expect(abs(measures.dynamicRange.native - 1) < 1e-9 && measures.dynamicRange.score == 12.5)
    #expect(abs(measures.luminanceVariance.native - 0.25) < 1e-9)
    // 100 · sin(π · 15/16).
    #expect(measures.luminanceVariance.score == 20)
    #expect(ImageMeasures(frame, x: 9..<12, y: 0..<4) == nil)
  }

  private func photo(_ yaw: Float, faces: Int = 1, eyes: Double = 120, sharpness: Double = 20) throws
    -> PhotoInspector.Photo
  {
    let gray = Pixel(red: 128, green: 128, blue: 128)
    return PhotoInspector.Photo(
      faces: faces, pose: HeadPose(yaw: yaw, pitch: 0, roll: 0), eyeDistance: eyes, sharpness: sharpness,
      light: ImageMeasures(Frame(width: 4, height: 4, filledWith: gray), x: 0..<4, y: 0..<4))
  }

  @Test func `photo measures have the standard's names, values and scores`() throws {
    let measures = try photo(60, eyes: 45).measures
    #expect(
      measures.map(\.name.rawValue) == [
        "inter-eye-distance", "head-pose-yaw", "head-pose-pitch", "head-pose-roll", "sharpness", "luminance-mean",
        "luminance-variance", "under-exposure-prevention", "over-exposure-prevention", "dynamic-range",
      ])
    let scores = Dictionary(uniqueKeysWithValues: measures.map { ($0.name, $0.score) })
    let values = Dictionary(uniqueKeysWithValues: measures.map { ($0.name, $0.value) })
    // 45 px at 60° correspond to 90 px in frontal view: 100 · σ((90 − 70) / 20).
    #expect(values[.interEyeDistance] == 45 && scores[.interEyeDistance] == 73)
    // 100 · cos² 60°.
    #expect(values[.headPoseYaw] == 60 && scores[.headPoseYaw] == 25)
    #expect(scores[.headPosePitch] == 100 && scores[.headPoseRoll] == 100)
    #expect(values[.sharpness] == 20 && scores[.sharpness] == .some(nil), "the standard has no formula for sharpness")
    // One gray: no variance, one bin, nothing dark and nothing bright.
    #expect(values[.luminanceVariance] == 0 && values[.dynamicRange] == 0)
    #expect(values[.underExposure] == 0 && values[.overExposure] == 0 && scores[.overExposure] == 100)
    let nobody = PhotoInspector.Photo(faces: 0, pose: nil, eyeDistance: nil, sharpness: .nan, light: nil)
    #expect(nobody.measures == [])
  }

  @Test func `three photos of the front and both sides pass`() throws {
    let findings = PhotoInspector([try photo(0), try photo(45), try photo(-45)]).findings
    for finding in findings { #expect(finding.grade == .pass, "\(finding.item.rawValue): \(finding.words)") }
  }

  @Test func `photo problems are reported with their values`() throws {
    let findings = PhotoInspector([try photo(0), try photo(5, faces: 2, sharpness: 3)]).findings
    let report = Dictionary(uniqueKeysWithValues: findings.map { ($0.item, $0) })
    #expect(report[.photoCount]?.grade == .fail && report[.photoCount]?.value == 2)
    #expect(report[.photoFaces]?.words.contains("Photo 2: more than one face") == true)
    #expect(report[.photoSharpness]?.grade == .fail && report[.photoSharpness]?.words.contains("Photo 2") == true)
    #expect(report[.photoPoses]?.grade == .fail && report[.photoPoses]?.words.contains("its left") == true)
    #expect(PhotoInspector([]).findings.dropFirst().allSatisfy { $0.grade == .notAssessed })
  }

  @Test(arguments: [(Float(0), 100.0, 70.0, 50.0), (60, 25, 35, 50), (90, 0, 70, 100)])
  func `eyes and pose are scored as the standard says`(yaw: Float, pose: Double, eyes: Double, score: Double) throws {
    let photo = try photo(yaw, eyes: eyes)
    #expect(photo.poseScores?.yaw == pose)
    #expect(abs((photo.eyeDistanceScore ?? -1) - score) <= 1)
  }
}
