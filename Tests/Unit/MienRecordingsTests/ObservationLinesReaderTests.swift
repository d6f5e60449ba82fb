import MienCore
import MienRecordings
import Testing

@Suite struct ObservationLinesReaderTests {
  private static let header = #"{"mien":"observations","version":1,"source":"device"}"#

  private func instants(_ text: String, _ rules: ParserLimits = ParserLimits()) throws -> [Int64] {
    try Recording.read(bytes(text), format: .observationLines, rules: rules).observations.map { $0.at.nanoseconds }
  }

  @Test(arguments: ["\n", "\r\n"], ["", "\n"])
  func `lines end with LF or CRLF and the last one may end with neither`(end: String, last: String) throws {
    #expect(
      try instants([Self.header, #"{"t":1}"#, #"{"t":1}"#].joined(separator: end) + last)
        == [1_000_000_000, 1_000_000_000])
  }

  @Test func `a request may omit the header and a file may not`() throws {
    let text = "{\"t\":0}\n{\"t\":1}\n"
    #expect(try instants(text, ParserLimits(requiresHeader: false)).count == 2)
    let error = try refusal { _ = try instants(text) }
    #expect(error.code == .wrongFormat)
    #expect(try instants("", ParserLimits(requiresHeader: false)).isEmpty)
    #expect(try refusal { _ = try instants("") }.code == .wrongFormat)
  }

  @Test func `a header without frames is an empty recording`() throws {
    #expect(try instants(Self.header).isEmpty)
  }

  @Test func `an error names the line and reading can continue after it`() throws {
    var reader = ObservationLinesReader(bytes(Self.header + "\n{\"t\":0}\n{\"t\":}\n{\"t\":2}\n"))
    #expect(try reader.next()?.at == .zero)
    let error = try refusal { _ = try reader.next() }
    #expect(error.description == "line 3, byte 5: not a number (malformed)")
    #expect(try reader.next()?.at.nanoseconds == 2_000_000_000)
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
    #expect(reader.lineNumber == 4)
  }

  @Test func `decreasing timestamps are rejected, or counted and kept`() throws {
    let text = Self.header + "\n{\"t\":2}\n{\"t\":1}\n{\"t\":1.5}\n"
    let error = try refusal { _ = try instants(text) }
    #expect(error.code == .timestampBackwards)
    #expect(error.line == 3)
    var reader = ObservationLinesReader(bytes(text), rules: ParserLimits(order: .keep))
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 3)
    #expect(reader.backwardCount == 1)
  }

  @Test func `an empty line is rejected`() throws {
    #expect(try refusal { _ = try instants(Self.header + "\n\n{\"t\":0}\n") }.line == 2)
  }

  @Test func `more observations than allowed are rejected`() throws {
    let text = Self.header + "\n{\"t\":0}\n{\"t\":0}\n{\"t\":0}\n"
    #expect(try instants(text, ParserLimits(maximumObservations: 3)).count == 3)
    #expect(try refusal { _ = try instants(text, ParserLimits(maximumObservations: 2)) }.code == .tooLarge)
  }

  @Test func `a long line is rejected with the limit`() throws {
    let text = Self.header + "\n{\"t\":0" + String(repeating: " ", count: 16_400) + "}\n"
    let error = try refusal { _ = try instants(text) }
    #expect(error.description == "line 2, byte 16384: the line is too long (tooLarge)")
  }

  static let headers: [Refused] = [
    Refused(#"{"mien":"observation","version":1,"source":"arkit"}"#, .wrongFormat, 8, "mien must be \"observations\""),
    Refused(
      #"{"mien":"observations","version":2,"source":"arkit"}"#, .unsupportedVersion, 33,
      "only version 1 is supported"),
    Refused(
      #"{"mien":"observations","version":1.5,"source":"arkit"}"#, .unsupportedVersion, 33,
      "only version 1 is supported"),
    Refused(
      #"{"mien":"observations","version":1,"source":"camera"}"#, .numberOutOfRange, 44, "source is not one of the five"),
    Refused(
      #"{"mien":"observations","version":1,"source":"arkit","frame_rate":0}"#, .numberOutOfRange, 65,
      "frame_rate is outside 0…1000"),
    Refused(
      #"{"mien":"observations","version":1,"source":"arkit","frame_rate":1e400}"#, .numberOutOfRange, 65,
      "frame_rate is outside 0…1000"),
    Refused(
      #"{"mien":"observations","version":1,"source":"arkit","t":0}"#, .unknownKey, 56,
      "not a key of the header"),
    Refused(#"{"mien":"observations","version":1,"version":1}"#, .duplicateKey, 45, "a duplicate key"),
    Refused(#"{"mien":"observations","version":1}"#, .missingKey, 35, "the header needs mien, version and source"),
    Refused(#"{"mien":1}"#, .wrongType, 8, "a string is expected here"),
  ]

  @Test(arguments: headers) func `an invalid header is rejected with its error and location`(_ row: Refused) throws {
    let error = try refusal { _ = try instants(row.text) }
    #expect(error.code == row.code)
    #expect(error.byte == row.byte)
    #expect(error.reason == row.reason)
  }

  @Test(arguments: [
    ClientObservation(at: MonotonicInstant(nanoseconds: -1), faceCount: nil, box: nil, pose: nil, blendshapes: nil),
    ClientObservation(at: .zero, faceCount: 101, box: nil, pose: nil, blendshapes: nil),
    ClientObservation(
      at: .zero, faceCount: nil, box: nil, pose: HeadPose(yaw: .nan, pitch: 0, roll: 0), blendshapes: nil),
    ClientObservation(
      at: .zero, faceCount: nil, box: FaceBox(x: 0, y: 0, width: .infinity, height: 1), pose: nil, blendshapes: nil),
    ClientObservation(
      at: .zero, faceCount: 0, box: nil, pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: nil),
  ]) func `a writer rejects what a reader would reject`(observation: ClientObservation) throws {
    for format in RecordingFormat.allCases {
      let recording = Recording(source: .device, frameRate: 30, observations: [observation])
      let error = try refusal { _ = try recording.write(as: format) }
      #expect(error.unit == .observation)
      #expect(error.line == 1)
    }
  }
}
