import Foundation
import MienCore
import MienRecordings
import Testing

@Suite struct LiveLinkFaceTests {
  private static let head = "Timecode,BlendShapeCount,EyeBlinkLeft,JawOpen"

  private func read(_ text: String, _ rules: ParserLimits = ParserLimits(frameRate: 60)) throws -> Recording {
    try Recording.read(bytes(text), format: .liveLinkFace, rules: rules)
  }

  @Test func `the documented example is read as described`() throws {
    let recording = try read(try sample("csv", in: "LiveLinkFace.md"), ParserLimits())
    #expect(recording.source == .liveLinkFace)
    #expect(recording.frameRate == 60)
    try #require(recording.observations.count == 2)
    let (first, second) = (recording.observations[0], recording.observations[1])
    #expect(first.at.nanoseconds == 86_399_991_666_667)
    #expect(second.at.nanoseconds == 86_400_008_333_333)
    #expect(first.blendshapes?[.jawOpen] == 1.03125)
    #expect(first.blendshapes?.measuredCount == 2)
    let pose = try #require(second.pose)
    #expect(abs(pose.yaw - -30) < 1e-4)
    #expect(abs(pose.pitch - 5) < 1e-4)
    #expect(abs(pose.roll - 10) < 1e-4)
    #expect(first.faceCount == nil)
  }

  @Test(arguments: [
    "Timecode,BlendshapeCount,JawOpen\n01:02:03:30,1,0.5\n", "\u{FEFF}Timecode,BlendShapeCount,JawOpen\n1:2:3:30,1,0.5",
    "JawOpen,Timecode,BlendShapeCount\r\n5e-1,01:02:03:30.000,1\r\n",
    "\"Timecode\",\"BlendShapeCount\",\"JawOpen\"\n\"01:02:03:30\",\"1\",\"0.5\"\n",
  ]) func `every known variant of the columns is read`(text: String) throws {
    let recording = try read(text)
    try #require(recording.observations.count == 1)
    #expect(recording.observations[0].at.nanoseconds == 3_723_500_000_000)
    #expect(recording.observations[0].blendshapes?[.jawOpen] == 0.5)
    #expect(recording.observations[0].pose == nil)
  }

  @Test func `a blend shape count of 0 is a frame without a face`() throws {
    let text = Self.head + "\n00:00:00:00,2,0.1,0.2\n00:00:00:01,0,,\n00:00:00:02,0\n00:00:00:03,2,0.3,0.4\n"
    let observations = try read(text).observations
    #expect(observations.map(\.hasFace) == [true, false, false, true])
  }

  @Test func `all-zero head angles are no pose unless one angle in the take is nonzero`() throws {
    let columns = Self.head + ",HeadYaw,HeadPitch,HeadRoll\n"
    let still = columns + "00:00:00:00,5,0,0,0,0,0\n00:00:00:01,5,0,0,-0.0000000000,0,0\n"
    #expect(try read(still).observations.allSatisfy { $0.pose == nil })
    let moved = still + "00:00:00:02,5,0,0,0,0,0.1\n"
    #expect(try read(moved).observations.allSatisfy { $0.pose != nil })
  }

  static let refused: [Refused] = [
    Refused("", .wrongFormat, 0, "no header row: there is no text"),
    Refused("Time,BlendShapeCount,JawOpen\n", .wrongFormat, 0, "not a Live Link Face column"),
    Refused("Timecode,BlendShapeCount,jawOpen\n", .unknownKey, 25, "not a Live Link Face column"),
    Refused("Timecode,BlendShapeCount,JawOpen,JawOpen\n", .duplicateKey, 33, "a duplicate column"),
    Refused("Timecode,BlendShapeCount,BlendshapeCount\n", .duplicateKey, 25, "a duplicate column"),
    Refused("Timecode,JawOpen\n", .missingKey, 0, "the columns Timecode and BlendShapeCount are needed"),
    Refused("Timecode,BlendShapeCount\n", .missingKey, 0, "there is no column of a coefficient"),
    Refused(
      "Timecode,BlendShapeCount,JawOpen,HeadYaw\n", .missingKey, 0, "HeadYaw, HeadPitch and HeadRoll belong together"),
  ]

  @Test(arguments: refused) func `a malformed header row is rejected with its error and location`(_ row: Refused) throws
  {
    let error = try refusal { _ = try read(row.text) }
    #expect(error.code == row.code)
    #expect(error.byte == row.byte)
    #expect(error.reason == row.reason)
    #expect(error.line == 1)
  }

  static let rows: [Refused] = [
    Refused("\n00:00:00:02,2,0.1,0.2", .malformed, 0, "an empty line"),
    Refused("00:00:00:01", .wrongFieldCount, 0, "fewer fields than columns"),
    Refused("00:00:00:01,2,0.1", .wrongFieldCount, 14, "fewer fields than columns"),
    Refused("00:00:00:01,2,0.1,0.2,0.3", .wrongFieldCount, 22, "more fields than columns"),
    Refused("00:00:00:01,2,0.1,0.2,", .wrongFieldCount, 22, "more fields than columns"),
    Refused("00:00:00:01,2,0.1,", .malformed, 18, "not a number"),
    Refused("00:00:00:01,2,0.1,nan", .malformed, 18, "not a number"),
    Refused("00:00:00:01,2,0.1,0.2x", .malformed, 21, "more text after a number"),
    Refused("00:00:00:01,2,0.1, 0.2", .malformed, 18, "not a number"),
    Refused("00:00:00:01,2,0.1,2", .numberOutOfRange, 18, "a coefficient is outside -0.5…1.5"),
    Refused("00:00:00:01,2,0.1,1e999", .numberOutOfRange, 18, "a coefficient is outside -0.5…1.5"),
    Refused(
      "00:00:00:01,3,0.1,0.2", .inconsistent, 12, "BlendShapeCount is neither 0 nor the number of value columns"),
    Refused("00:00:00:01,0,0.1,0.2", .inconsistent, 14, "a value, but BlendShapeCount is 0"),
    Refused("00:00:00,2,0.1,0.2", .malformed, 8, "a timecode is HH:MM:SS:FF with an optional fraction"),
    Refused("00:00:00;01,2,0.1,0.2", .malformed, 8, "a timecode is HH:MM:SS:FF with an optional fraction"),
    Refused("00:00:00:01.,2,0.1,0.2", .malformed, 12, "a timecode is HH:MM:SS:FF with an optional fraction"),
    Refused("00:00:00:01.5x,2,0.1,0.2", .malformed, 13, "more text after a timecode"),
    Refused("24:00:00:01,2,0.1,0.2", .numberOutOfRange, 0, "a timecode goes from 00:00:00 to 23:59:59"),
    Refused("00:60:00:01,2,0.1,0.2", .numberOutOfRange, 0, "a timecode goes from 00:00:00 to 23:59:59"),
    Refused("00:00:00:60,2,0.1,0.2", .inconsistent, 0, "a frame number beyond the frame rate"),
    Refused("00:00:00:00,2,0.1,0.2", .timestampBackwards, 0, "the timecode goes backwards"),
    Refused("00:00:00:01,2,\"0.1,0.2", .truncated, 22, "a quoted field does not end"),
    Refused("00:00:00:01,2,\"0.1", .truncated, 18, "a quoted field does not end"),
    Refused("00:00:00:01,2,\"0.1\"5,0.2", .malformed, 19, "text after a quoted field"),
    Refused("00:00:00:01,2,0\".1,0.2", .malformed, 15, "a quote or a control character in a field"),
    Refused("00:00:00:01,2,0\t,0.2", .malformed, 15, "a quote or a control character in a field"),
  ]

  @Test(arguments: rows) func `a malformed row is rejected with its error and location`(_ row: Refused) throws {
    let error = try refusal { _ = try read("\(Self.head)\n00:00:00:00.5,2,0.1,0.2\n\(row.text)\n") }
    #expect(error.code == row.code)
    #expect(error.byte == row.byte)
    #expect(error.reason == row.reason)
    #expect(error.line == 3)
  }

  @Test func `the frame rate is derived from frame numbers or must be given`() throws {
    func take(_ frames: [Int]) -> String {
      var second = 0
      var last = -1
      return frames.reduce(Self.head + "\n") { text, frame in
        if frame < last { second += 1 }
        last = frame
        return text + String(format: "00:00:%02d:%02d,2,0,0\n", second, frame)
      }
    }
    #expect(try read(take(Array(20..<30) + Array(0..<30)), ParserLimits()).frameRate == 30)
    #expect(try read(take([0, 30]), ParserLimits()).frameRate == 60)
    #expect(try read(take(Array(50..<60) + Array(0..<5)), ParserLimits()).frameRate == 60)
    for frames in [Array(0..<5), Array(0..<30), [29, 0], [0, 60], [100]] {
      #expect(try refusal { _ = try read(take(frames), ParserLimits()) }.code == .frameRateUnknown)
      #expect(try read(take(frames), ParserLimits(frameRate: 120)).frameRate == 120)
    }
  }

  @Test func `the number of midnight crossings is limited`() throws {
    func take(_ nights: Int) -> String {
      Self.head + "\n" + String(repeating: "23:59:59:30,2,0,0\n00:00:00:30,2,0,0\n", count: nights)
    }
    #expect(try read(take(3), ParserLimits(frameRate: 60)).observations.count == 6)
    // 213,503 rows of these exceeded the range of `MonotonicInstant`.
    let error = try refusal { _ = try read(take(400), ParserLimits(frameRate: 60)) }
    #expect(error.code == .inconsistent && error.reason == "the timecode crosses midnight too often")
    for rate in [1e-300, 1e-9] {
      #expect(try refusal { _ = try read(take(1), ParserLimits(frameRate: rate)) }.code == .inconsistent)
    }
  }

  @Test func `a decreasing timecode can be kept`() throws {
    let text = Self.head + "\n00:00:01:00,2,0,0\n00:00:00:59,2,0,0\n"
    #expect(try read(text, ParserLimits(order: .keep, frameRate: 60)).observations[1].at.nanoseconds == 983_333_333)
  }

  @Test(arguments: 0..<10) func `a take is read back as written`(seed: Int) throws {
    var maker = ObservationMaker(seed: UInt64(seed))
    let rate = seed.isMultiple(of: 2) ? 30.0 : 60.0
    let observations = (0..<100).map { index in
      ClientObservation(
        at: MonotonicInstant(nanoseconds: Int64((Double(86_350 * Int(rate) + index * 40) / rate * 1e9).rounded())),
        faceCount: nil, box: nil, pose: maker.pose(), blendshapes: maker.coefficients(missing: false))
    }
    let recording = Recording(source: .liveLinkFace, frameRate: rate, observations: observations)
    let written = try recording.write(as: .liveLinkFace)
    let again = try Recording.read(ContiguousArray(written), rules: ParserLimits(frameRate: rate))
    #expect(again.observations.map(\.at) == observations.map(\.at))
    #expect(again.observations.map(\.blendshapes) == observations.map(\.blendshapes))
    for (left, right) in zip(again.observations, observations) {
      let (left, right) = (try #require(left.pose), try #require(right.pose))
      #expect(abs(left.yaw - right.yaw) < 5e-5)
      #expect(abs(left.pitch - right.pitch) < 5e-5)
      #expect(abs(left.roll - right.roll) < 5e-5)
    }
  }

  @Test func `a written take has the app's columns and a number in each`() throws {
    var shapes = Blendshapes()
    shapes[.jawOpen] = 0.25
    let text = String(
      decoding: try Recording(
        source: .mediaPipe, frameRate: 30,
        observations: [
          ClientObservation(
            at: MonotonicInstant(nanoseconds: 1_999_999_999), faceCount: 1, box: nil, pose: nil, blendshapes: shapes),
          ClientObservation(
            at: MonotonicInstant(nanoseconds: 3_000_000_000), faceCount: 0, box: nil, pose: nil, blendshapes: nil),
        ]
      ).write(as: .liveLinkFace), as: UTF8.self)
    let lines = text.split(separator: "\n")
    try #require(lines.count == 2, "no row for a moment without a face")
    #expect(lines[0].hasPrefix("Timecode,BlendShapeCount,EyeBlinkLeft,EyeLookDownLeft,"))
    #expect(
      lines[0].hasSuffix(
        ",TongueOut,HeadYaw,HeadPitch,HeadRoll,LeftEyeYaw,LeftEyePitch,LeftEyeRoll,"
          + "RightEyeYaw,RightEyePitch,RightEyeRoll"))
    let fields = lines[1].split(separator: ",")
    #expect(fields.count == 63)
    #expect(lines[0].split(separator: ",").count == 63)
    #expect(fields[0] == "00:00:02:00.000", "a last thousandth of a frame is the next second")
    #expect(fields[1] == "61")
    #expect(fields[19] == "0.2500000000")
  }

  @Test func `a take without a frame rate cannot be written`() throws {
    let recording = Recording(source: .device, frameRate: nil, observations: [])
    #expect(try refusal { _ = try recording.write(as: .liveLinkFace) }.code == .frameRateUnknown)
  }
}

@Suite(.enabled(if: hasSharedData("RealTakeTests"))) struct RealTakeTests {
  static let takes: [String] = {
    guard let folder = sharedFolder?.appending(path: "data/arkit"),
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    return files.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".csv") }.sorted()
  }()

  @Test func `there are eight sample takes`() {
    #expect(Self.takes.count == 8)
  }

  @Test(arguments: takes) func `a real take round-trips`(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let take = ContiguousArray(data)
    #expect(RecordingFormat.detect(take) == .liveLinkFace)
    let recording = try Recording.read(take)
    #expect(recording.frameRate == 60)
    let rows = String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst()
    #expect(recording.observations.count == rows.count)
    #expect(recording.observations.allSatisfy { $0.blendshapes?.measuredCount == 52 && $0.pose == nil })
    for (earlier, later) in zip(recording.observations, recording.observations.dropFirst()) {
      #expect(earlier.at < later.at)
    }
    let written = try recording.write(as: .liveLinkFace)
    #expect(try Recording.read(ContiguousArray(written)) == recording)
    // The output equals the recording's own text, except for the formatting of the count and for the eyes, which are
    // omitted.
    let again = String(decoding: written, as: UTF8.self).split(separator: "\n").dropFirst()
    for (mine, theirs) in zip(again, rows) {
      #expect(mine.split(separator: ",").prefix(57) == theirs.split(separator: ",").prefix(57))
    }
  }
}
