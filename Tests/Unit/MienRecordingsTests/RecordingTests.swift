import Foundation
import MienCore
@testable import MienRecordings
import Testing

@Suite struct RecordingTests {
  @Test(arguments: [
    (#"{"mien":"observations","version":1,"source":"arkit"}"#, RecordingFormat.observationLines),
    (#"{"t":0}"#, .observationLines), ("\n {\"version\":1,", .observationLines),
    ("Timecode,BlendShapeCount,JawOpen\n", .liveLinkFace), ("\u{FEFF}Timecode", .liveLinkFace),
    ("\"Timecode\",", .liveLinkFace), ("[{}]", .mediaPipe), (#"{"face_landmarks":["#, .mediaPipe),
    (#"{"id":[1,{"a":2}],"name":"x","faceBlendshapes":"#, .mediaPipe), (#"{"timestampMs":1}"#, .mediaPipe),
    ("", nil), ("{}", nil), ("hello", nil), ("{\"a\":1}", nil), ("Timecod", nil), ("MDF1", nil), ("{\"a\":[[[", nil),
    ("{\"a\":" + String(repeating: "[", count: 10_000), nil),
  ]) func `the format is detected from the start of the text`(text: String, format: RecordingFormat?) {
    #expect(RecordingFormat.detect(bytes(text)) == format)
  }

  @Test func `an unknown format is rejected`() throws {
    #expect(try refusal { _ = try Recording.read(bytes("hello")) }.code == .wrongFormat)
  }

  @Test(arguments: RecordingFormat.allCases) func `every written format is detected again`(format: RecordingFormat)
    throws
  {
    var shapes = Blendshapes()
    shapes[.jawOpen] = 0.5
    let recording = Recording(
      source: .device, frameRate: 60,
      observations: [ClientObservation(at: .zero, faceCount: 1, box: nil, pose: nil, blendshapes: shapes)])
    #expect(RecordingFormat.detect(ContiguousArray(try recording.write(as: format))) == format)
  }

  private func recording(_ seconds: [Double]) throws -> Recording {
    Recording(
      source: .device, frameRate: nil,
      observations: try seconds.enumerated().map { index, second in
        ClientObservation(
          at: try #require(MonotonicInstant(seconds: second)), faceCount: index, box: nil, pose: nil, blendshapes: nil)
      })
  }

  @Test func `a replay keeps the intervals and starts at the given time`() throws {
    let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    let played = Array(try recording([100, 100.25, 101]).replay(startingAt: start))
    #expect(played.map(\.at.seconds) == [5, 5.25, 6])
    #expect(played.map(\.faceCount) == [0, 1, 2])
    #expect(Array(try recording([]).replay()).isEmpty)
  }

  @Test func `a resampled recording contains the latest measurement`() throws {
    let played = Array(try recording([10, 10.25, 11]).resampled(to: 10))
    #expect(played.count == 11)
    #expect(played.map(\.faceCount) == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2])
    #expect(played.map { ($0.at.seconds * 10).rounded() } == Array(stride(from: 0.0, through: 10, by: 1)))
    for rate in [0, -1, .nan, .infinity, 1e9] {
      #expect(Array(try recording([0, 1]).resampled(to: rate)).isEmpty)
    }
  }

  @Test func `no error and no value prints its input`() throws {
    let secret = "7316498"
    let texts = [
      #"{"t":0,"blendshapes":{"jawOpen":\#(secret)}}"#, #"{"t":0,"x\#(secret)":0}"#, "{\"t\":0}\(secret)",
      #"{"t":0,"pose":{"yaw":\#(secret),"pitch":0,"roll":0}}"#,
    ]
    for text in texts {
      let error = try refusal { _ = try line(text) }
      #expect(!"\(error)".contains(secret) && !String(reflecting: error).contains(secret))
    }
    let seen = try line(#"{"t":0,"pose":{"yaw":12.5,"pitch":0,"roll":0},"blendshapes":{"jawOpen":0.625}}"#)
    var dumped = ""
    dump(seen, to: &dumped)
    dump(Recording(source: .device, frameRate: nil, observations: [seen]), to: &dumped)
    #expect(!dumped.contains("12.5") && !dumped.contains("0.625"))
  }

  @Test func `a written rotation has the documented axis order`() {
    // Yaw only: the nose's axis (third column) leans to the image's right, which is +x.
    #expect(abs(RotationMatrix(HeadPose(yaw: 30, pitch: 0, roll: 0)).rows[0].z - 0.5) < 1e-7)
    // Pitch only: it leans up, which is +y.
    #expect(abs(RotationMatrix(HeadPose(yaw: 0, pitch: 30, roll: 0)).rows[1].z - 0.5) < 1e-7)
    // Roll only: the head's top (second column) leans to the image's left, which is −x.
    #expect(abs(RotationMatrix(HeadPose(yaw: 0, pitch: 0, roll: 30)).rows[0].y + 0.5) < 1e-7)
  }
}
