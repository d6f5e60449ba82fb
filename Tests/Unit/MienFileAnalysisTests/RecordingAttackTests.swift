import Foundation
import MienCore
import MienFileAnalysis
import MienFiles
import Testing

/// Recordings, as series of yaw angles, that are presented to checks of a level.
@Suite struct `Recording against checks` {
  /// Appends a frame each 1/15 s; `nil` is a frame without a face.
  private static func attack(with yaws: [Float?]) throws -> RecordingAttack {
    let presence = try #require(Score(1))
    let landmarks = try #require(Landmarks(.init(repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)))
    var attack = RecordingAttack()
    for (index, yaw) in yaws.enumerated() {
      let face = yaw.map {
        ObservedFace(
          box: FaceBox(x: 0.35, y: 0.25, width: 0.3, height: 0.5), presence: presence,
          pose: HeadPose(yaw: $0, pitch: 0, roll: 0), blendshapes: Blendshapes(), landmarks: landmarks)
      }
      attack.process(
        FaceObservation(
          at: MonotonicInstant(nanoseconds: Int64(index) * 66_666_667), frameWidth: 640, frameHeight: 480,
          brightness: 120, faceCount: yaw == nil ? 0 : 1, face: face))
    }
    return attack
  }

  /// 2.2 s straight ahead, then to 40° and back within 1.8 s.
  private static func turn(to side: Float) -> [Float?] {
    let straight = [Float?](repeating: 0, count: 33)
    let way = (0..<27).map { index -> Float? in side * 40 * sin(Float(index) / 26 * .pi) }
    return straight + way
  }

  private struct Reply: Decodable {
    let assurance: String
    let tries: Int
    let passed: Int
    let reasons: [String: Int]
    let frames: Int
    let frames_with_face: Int
  }

  private static func reply(_ outcome: RecordingAttack.Outcome) throws -> Reply {
    try JSONDecoder().decode(Reply.self, from: Data(try outcome.jsonText().utf8))
  }

  @Test func `a turn to one side passes some checks of basic and none of standard`() throws {
    let attack = try Self.attack(with: Self.turn(to: 1))
    let basic = try Self.reply(try attack.run(against: .basic, tries: 60))
    #expect((1..<60).contains(basic.passed), "only where the side is the asked one: \(basic.passed)")
    #expect(basic.passed + basic.reasons.values.reduce(0, +) == basic.tries)
    #expect(basic.reasons.keys.contains { $0 != "no-face" })
    let standard = try Self.reply(try attack.run(against: .standard, tries: 60))
    #expect(standard.passed == 0)
    #expect(standard.reasons.values.reduce(0, +) == 60)
  }

  @Test func `a still picture passes nothing`() throws {
    let attack = try Self.attack(with: .init(repeating: 0, count: 60))
    for level in AssuranceLevel.allCases {
      let outcome = try attack.run(against: level, tries: 20)
      #expect(try Self.reply(outcome).passed == 0)
      #expect(outcome.text.hasPrefix("\(level.rawValue): passed 0 of 20 checks by its tasks"))
    }
  }

  @Test func `the same recording has the same result`() throws {
    let attack = try Self.attack(with: Self.turn(to: -1))
    let outcomes = try (0..<2).map { _ in try attack.run(against: .basic, tries: 40).jsonText() }
    #expect(outcomes[0] == outcomes[1])
  }

  @Test func `a recording without a face is told apart`() throws {
    let outcome = try Self.attack(with: .init(repeating: nil, count: 30)).run(against: .basic, tries: 10)
    let reply = try Self.reply(outcome)
    #expect((reply.frames, reply.frames_with_face, reply.passed) == (30, 0, 0))
    #expect(reply.reasons == ["no-face": 10])
    #expect(outcome.exitCode == 2)
    #expect(try Self.attack(with: Self.turn(to: 1)).run(against: .basic, tries: 10).exitCode == 0)
  }

  @Test func `a single frame is no recording`() throws {
    let attack = try Self.attack(with: [0])
    #expect(throws: OperationError.self) { try attack.run(against: .basic, tries: 1) }
  }
}
