import MienTestGenerators
import Foundation
import MienCore
import MienRecordings
import Testing

/// Line that must be rejected: its text, the error code, and the reported byte.
struct Refused: Sendable, CustomTestStringConvertible {
  var text: String
  var code: RecordingError.Code
  var byte: Int
  var reason: String
  var testDescription: String { "\(code): \(text.prefix(60))" }

  init(_ text: String, _ code: RecordingError.Code, _ byte: Int, _ reason: String) {
    self.text = text
    self.code = code
    self.byte = byte
    self.reason = reason
  }
}

@Suite struct ObservationLinesTests {
  @Test func `the documented example is read as described`() throws {
    let text = try sample("jsonl", in: "ObservationLines.md")
    let recording = try Recording.read(bytes(text))
    #expect(recording.source == .arkit)
    #expect(recording.frameRate == 60)
    try #require(recording.observations.count == 3)
    let first = recording.observations[0]
    #expect(first.at == .zero)
    #expect(first.faceCount == 1)
    #expect(first.box == FaceBox(x: 0.31, y: 0.22, width: 0.36, height: 0.51))
    #expect(first.pose == HeadPose(yaw: -1.25, pitch: 3.5, roll: 0.1))
    #expect(first.blendshapes?[.browDownLeft] == 0.012)
    #expect(first.blendshapes?[.tongueOut] == 0)
    #expect(first.blendshapes?.measuredCount == 3)
    #expect(recording.observations[1].at.nanoseconds == 16_667_000)
    #expect(recording.observations[1].blendshapes?[.tongueOut] == nil)
    #expect(recording.observations[2].hasFace == false)
    #expect(try recording.write(as: .observationLines).count > 0)
  }

  @Test(arguments: [
    #"{"t":0.5,"faces":1}"#, #"  { "faces" : 1 , "t" : 0.5 } "#, "{\"t\":5e-1,\"faces\":1}\r\n",
    #"{"t":0.05E+1,"faces":10e-1}"#, #"{"\u0074":0.5,"f\u0061ces":1.0}"#,
    #"{"t":0.50000000000000000000000000,"faces":1}"#,
    #"{"t":0.5000000004,"faces":1,"pose":null,"box":null,"blendshapes":null}"#, #"{"faces":1,"t":500000000e-9}"#,
    "{\n\t\"t\": 0.5,\n\t\"faces\": 1\n}",
  ]) func `every JSON notation is read`(text: String) throws {
    let observation = try line(text)
    #expect(observation.at.nanoseconds == 500_000_000)
    #expect(observation.faceCount == 1)
    #expect(!observation.hasFace)
  }

  static let refused: [Refused] = [
    // Syntax.
    Refused("", .truncated, 0, "the text ends too early"),
    Refused("   ", .truncated, 3, "the text ends too early"),
    Refused("[]", .wrongType, 0, "an object is expected here"),
    Refused("\u{FEFF}{\"t\":0}", .malformed, 0, "a byte order mark does not belong here"),
    Refused("{'t':0}", .malformed, 1, "a string is expected here"),
    Refused("{t:0}", .wrongType, 1, "a string is expected here"),
    Refused(#"{"t" 0}"#, .malformed, 5, "a colon is missing after a key"),
    Refused(#"{"t":0,}"#, .malformed, 7, "a trailing comma"),
    Refused(#"{"t":0 "faces":1}"#, .malformed, 7, "a comma or the end is missing"),
    Refused(#"{"t":0} x"#, .malformed, 8, "more text after the end"),
    Refused(#"{"t":0}{"t":1}"#, .malformed, 7, "more text after the end"),
    Refused("{\"t\":0} // no", .malformed, 8, "more text after the end"),
    Refused("{\"t\n\":0}", .malformed, 3, "a control character in a string"),
    Refused(#"{"\q":0}"#, .malformed, 2, "an unknown escape"),
    Refused(#"{"\u00g0":0}"#, .malformed, 6, "not four hexadecimal digits after \\u"),
    Refused(#"{"\ud800":0}"#, .invalidText, 2, "an unpaired surrogate"),
    Refused(#"{"\udc00":0}"#, .invalidText, 2, "an unpaired surrogate"),
    // Numbers.
    Refused(#"{"t":NaN}"#, .malformed, 5, "NaN and Infinity are not numbers here"),
    Refused(#"{"t":nan}"#, .malformed, 5, "NaN and Infinity are not numbers here"),
    Refused(#"{"t":-Infinity}"#, .malformed, 5, "NaN and Infinity are not numbers here"),
    Refused(#"{"t":+1}"#, .malformed, 5, "not a number"),
    Refused(#"{"t":.5}"#, .malformed, 5, "not a number"),
    Refused(#"{"t":01}"#, .malformed, 5, "a number starts with a superfluous 0"),
    Refused(#"{"t":1.}"#, .malformed, 7, "a digit is missing after the decimal point"),
    Refused(#"{"t":1e}"#, .malformed, 7, "a digit is missing in an exponent"),
    Refused(#"{"t":0x1}"#, .malformed, 6, "a comma or the end is missing"),
    Refused(#"{"t":-}"#, .malformed, 5, "not a number"),
    Refused(#"{"t":1e999}"#, .numberOutOfRange, 5, "t is outside 0…9000000000"),
    Refused(#"{"t":9e9}"#, .numberOutOfRange, 5, "t is outside 0…9000000000"),
    Refused(#"{"t":-0.001}"#, .numberOutOfRange, 5, "t is negative"),
    Refused(#"{"t":"0"}"#, .wrongType, 5, "a number is expected here"),
    Refused(#"{"t":null}"#, .wrongType, 5, "a number is expected here"),
    Refused(#"{"t":true}"#, .wrongType, 5, "a number is expected here"),
    // Members.
    Refused("{}", .missingKey, 2, "the key t is missing"),
    Refused(#"{"faces":1}"#, .missingKey, 11, "the key t is missing"),
    Refused(#"{"t":0,"t":0}"#, .duplicateKey, 11, "a duplicate key"),
    Refused(#"{"t":0,"\u0074":0}"#, .duplicateKey, 16, "a duplicate key"),
    Refused(#"{"t":0,"T":0}"#, .unknownKey, 11, "not a key of an observation"),
    Refused(#"{"t":0,"naïve":0}"#, .unknownKey, 16, "not a key of an observation"),
    Refused(#"{"t":0,"t\u0000":0}"#, .unknownKey, 17, "not a key of an observation"),
    Refused(#"{"mien":"observations"}"#, .unknownKey, 8, "not a key of an observation"),
    Refused(#"{"t":0,"faces":1.5}"#, .numberOutOfRange, 15, "faces is not a whole number in 0…100"),
    Refused(#"{"t":0,"faces":-1}"#, .numberOutOfRange, 15, "faces is not a whole number in 0…100"),
    Refused(#"{"t":0,"faces":101}"#, .numberOutOfRange, 15, "faces is not a whole number in 0…100"),
    Refused(#"{"t":0,"faces":1e-999}"#, .numberOutOfRange, 15, "faces is not a whole number in 0…100"),
    Refused(#"{"t":0,"faces":null}"#, .wrongType, 15, "a number is expected here"),
    Refused(#"{"t":0,"box":[0,0,1]}"#, .wrongType, 13, "box has fewer than four numbers"),
    Refused(#"{"t":0,"box":[0,0,1,1,1]}"#, .wrongType, 22, "box has more than four numbers"),
    Refused(#"{"t":0,"box":[0,0,0,1]}"#, .numberOutOfRange, 13, "box is implausible"),
    Refused(#"{"t":0,"box":[0,0,1e39,1]}"#, .numberOutOfRange, 18, "a number is too large"),
    Refused(#"{"t":0,"box":{}}"#, .wrongType, 13, "an array is expected here"),
    Refused(#"{"t":0,"box":[[0],0,1,1]}"#, .wrongType, 14, "a number is expected here"),
    Refused(#"{"t":0,"pose":{"yaw":0,"pitch":0}}"#, .missingKey, 14, "a pose needs yaw, pitch and roll"),
    Refused(#"{"t":0,"pose":{"yaw":0,"yaw":0}}"#, .duplicateKey, 29, "a duplicate key"),
    Refused(#"{"t":0,"pose":{"jaw":0}}"#, .unknownKey, 21, "not a key of a pose"),
    Refused(#"{"t":0,"pose":{"yaw":181,"pitch":0,"roll":0}}"#, .numberOutOfRange, 14, "pose is implausible"),
    Refused(#"{"t":0,"pose":{"yaw":0,"pitch":-90.001,"roll":0}}"#, .numberOutOfRange, 14, "pose is implausible"),
    Refused(#"{"t":0,"pose":[0,0,0]}"#, .wrongType, 14, "an object is expected here"),
    Refused(#"{"t":0,"pose":nul}"#, .malformed, 14, "not a JSON value"),
    Refused(#"{"t":0,"pose":n"#, .truncated, 15, "the text ends in a word"),
    Refused(#"{"t":0,"blendshapes":{"jawopen":0}}"#, .unknownKey, 32, "not an ARKit coefficient"),
    Refused(#"{"t":0,"blendshapes":{"_neutral":0}}"#, .unknownKey, 33, "not an ARKit coefficient"),
    Refused(#"{"t":0,"blendshapes":{"jawOpen":0,"jawOpen":0}}"#, .duplicateKey, 44, "a duplicate coefficient"),
    Refused(
      #"{"t":0,"blendshapes":{"jawOpen":1.5000002}}"#, .numberOutOfRange, 32, "a coefficient is outside -0.5…1.5"),
    Refused(#"{"t":0,"blendshapes":{"jawOpen":-0.51}}"#, .numberOutOfRange, 32, "a coefficient is outside -0.5…1.5"),
    Refused(#"{"t":0,"blendshapes":{"jawOpen":1e9}}"#, .numberOutOfRange, 32, "a coefficient is outside -0.5…1.5"),
    Refused(#"{"t":0,"blendshapes":{"jawOpen":1e999}}"#, .numberOutOfRange, 32, "a coefficient is outside -0.5…1.5"),
    Refused(#"{"t":0,"blendshapes":{"jawOpen":-1e999}}"#, .numberOutOfRange, 32, "a coefficient is outside -0.5…1.5"),
    Refused(#"{"t":0,"blendshapes":{"jawOpen":null}}"#, .wrongType, 32, "a number is expected here"),
    Refused(#"{"t":0,"blendshapes":[[[[[[[["#, .wrongType, 21, "an object is expected here"),
    Refused(#"{"t":0,"faces":0,"blendshapes":{}}"#, .inconsistent, 34, "measures of a face, but faces is 0"),
    Refused(#"{"t":0,"box":[0,0,1,1],"faces":0}"#, .inconsistent, 33, "measures of a face, but faces is 0"),
  ]

  @Test(arguments: refused) func `invalid input is rejected with its error and location as documented`(_ row: Refused)
    throws
  {
    let error = try refusal { _ = try line(row.text) }
    #expect(error.code == row.code)
    #expect(error.byte == row.byte)
    #expect(error.reason == row.reason)
    #expect(error.description == "line 1, byte \(row.byte): \(row.reason) (\(row.code))")
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xC3],
      [0xE2, 0x82],
      [0xF0, 0x9F, 0x98],
    ] as [[UInt8]]) func `bytes that are not UTF-8 are rejected`(wrong: [UInt8]) throws
  {
    let text = bytes(#"{"t":0,""#) + wrong + bytes(#"":0}"#)
    let error = try refusal { _ = try ObservationJSONL.parseLine(text.span) }
    #expect(error.code == .invalidText)
    #expect(error.byte >= 8 && error.byte <= 8 + wrong.count)
  }

  @Test func `every truncation of a line is rejected`() throws {
    var maker = ObservationMaker(seed: 1)
    var writer = ObservationLinesWriter(header: nil)
    try writer.append(
      ClientObservation(
        at: .zero, faceCount: 1, box: FaceBox(x: 0, y: 0, width: 1, height: 1), pose: maker.pose(),
        blendshapes: maker.coefficients(missing: false)))
    let whole = ContiguousArray(writer.bytes.dropLast())
    _ = try ObservationJSONL.parseLine(whole.span)
    for end in 0..<whole.count {
      let error = try refusal { _ = try ObservationJSONL.parseLine(whole.span.extracting(..<end)) }
      #expect(error.code == .truncated)
    }
  }

  @Test func `a line above the limit is rejected before parsing`() throws {
    let text = bytes("{\"t\":0" + String(repeating: " ", count: 100) + "}")
    _ = try ObservationJSONL.parseLine(text.span, maximumBytes: text.count)
    let error = try refusal { _ = try ObservationJSONL.parseLine(text.span, maximumBytes: text.count - 1) }
    #expect(error.code == .tooLarge)
  }

  @Test(arguments: 0..<20) func `a written observation is read and rewritten identically`(seed: Int) throws {
    var maker = ObservationMaker(seed: UInt64(seed))
    let recording = Recording(
      source: try #require(RecordingSource.allCases.randomElement(using: &maker.randomness)), frameRate: 29.97,
      observations: maker.observations(50))
    let written = try recording.write(as: .observationLines)
    let again = try Recording.read(ContiguousArray(written))
    #expect(again == recording)
    #expect(try again.write(as: .observationLines) == written)
  }

  @Test func `numbers are rounded to the nearest float`() throws {
    var generator = SplitMixGenerator(seed: 3)
    for round in 0..<20_000 {
      let digits = String(UInt64.random(in: 0..<1_000_000_000_000_000_000, using: &generator))
      let more = round.isMultiple(of: 5) ? String(UInt64.random(in: 0...UInt64.max, using: &generator)) : ""
      let text = "0." + digits.prefix(Int.random(in: 1...18, using: &generator)) + more
      let spelled = round.isMultiple(of: 3) ? text + "e-\(Int.random(in: 0...50, using: &generator))" : text
      let read = try line(#"{"t":0,"blendshapes":{"jawOpen":\#(spelled)}}"#).blendshapes?[.jawOpen]
      #expect(read == Float(spelled), "\(spelled)")
    }
  }

  @Test(arguments: [
    // Exactly between two floats, then a deciding digit: the `Double` value of each is the midpoint.
    ("0.500000029802322387695312500", Float(0.5)), ("0.5000000298023223876953125000000001", Float(0.5).nextUp),
    ("0.500000089406967163085937500", Float(0.5).nextUp.nextUp), ("1e-46", Float(0)),
    ("1.4e-45", Float.leastNonzeroMagnitude), ("-0", Float(-0.0)),
  ]) func `the midpoint between two floats is rounded correctly`(text: String, value: Float) throws {
    let read = try line(#"{"t":0,"blendshapes":{"jawOpen":\#(text)}}"#).blendshapes?[.jawOpen]
    #expect(read == value)
    #expect(read?.sign == value.sign)
  }

  @Test func `coefficients can be in any order`() throws {
    var generator = SplitMixGenerator(seed: 5)
    let names = BlendshapeName.allCases.shuffled(using: &generator)
    let members = names.map { "\"\($0.text)\":0.\($0.rawValue + 10)" }.joined(separator: ",")
    let shapes = try #require(try line("{\"blendshapes\":{\(members)},\"t\":1}").blendshapes)
    #expect(shapes.measuredCount == 52)
    for name in BlendshapeName.allCases { #expect(shapes[name] == Float("0.\(name.rawValue + 10)")) }
  }
}
