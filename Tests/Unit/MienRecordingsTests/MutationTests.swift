import MienTestGenerators
import MienCore
import MienRecordings
import Testing

/// Invalid input, mutated from valid input with a seeded generator: each entry point parses it or throws its own error.
///
/// Short, always enabled counterpart of the fuzzers in `Tests/Fuzz`: a crash ends the test process, and parsed values
/// must be plausible and survive writing and parsing again.
@Suite struct MutationTests {
  static let pieces = [
    "\"", "{", "}", "[", "]", ",", ":", "\\u0000", "\\", "1e999", "-1e999", "NaN", "1e9", "-0", "null", "\n", "\r",
    "\u{0}",
    "é", "99999999999999999999999", "0.", "Timecode", "\"t\":0,", "e-400",
  ].map { Array($0.utf8) }

  /// Applies one to four mutations: a byte, a bit, a cut, a duplicated or a foreign piece.
  static func mutate(_ original: [UInt8], _ generator: inout SplitMixGenerator) -> [UInt8] {
    var text = original
    for _ in 0..<([1, 1, 1, 2, 4].randomElement(using: &generator) ?? 1) where !text.isEmpty {
      let at = Int.random(in: 0..<text.count, using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: text[at] = UInt8.random(in: 0...255, using: &generator)
      case 1: text[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: text.removeSubrange(at..<min(at + Int.random(in: 1...40, using: &generator), text.count))
      case 3: text.removeSubrange(at...)
      case 4:
        text.insert(contentsOf: text[at..<min(at + Int.random(in: 1...60, using: &generator), text.count)], at: at)
      case 5: text.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: at)
      default: text[at] = UInt8.random(in: 0x20..<0x7F, using: &generator)
      }
    }
    return text
  }

  private func seed(_ format: RecordingFormat) throws -> [UInt8] {
    var maker = ObservationMaker(seed: 9)
    let observations = (0..<4).map { index in
      var shapes = maker.coefficients(missing: false)
      if format == .mediaPipe { shapes[.tongueOut] = nil }
      return ClientObservation(
        at: MonotonicInstant(nanoseconds: Int64(index) * 500_000_000), faceCount: 1,
        box: FaceBox(x: 0.25, y: 0.25, width: 0.5, height: 0.5), pose: maker.pose(), blendshapes: shapes)
    }
    return try Recording(source: .device, frameRate: 60, observations: observations).write(as: format)
  }

  @Test(arguments: RecordingFormat.allCases) func `a corrupt recording is read or rejected`(
    format: RecordingFormat
  ) throws {
    var generator = SplitMixGenerator(seed: 11)
    let original = try seed(format)
    var readCount = 0
    var refusals: Set<RecordingError.Code> = []
    let rules = ParserLimits(requiresHeader: false)
    for _ in 0..<2000 {
      let text = ContiguousArray(Self.mutate(original, &generator))
      do throws(RecordingError) {
        let recording = try Recording.read(text, format: format, rules: rules)
        readCount += 1
        for observation in recording.observations {
          #expect(observation.blendshapes?.isPlausible != false)
          #expect(observation.pose?.isPlausible != false)
          #expect(observation.box?.isPlausible != false)
        }
        let lines = try recording.write(as: .observationLines)
        let again = try Recording.read(ContiguousArray(lines), format: .observationLines)
        #expect(again.observations.count == recording.observations.count)
        #expect(try again.write(as: .observationLines) == lines)
      } catch {
        refusals.insert(error.code)
        #expect(error.line >= 0 && error.byte >= 0 && error.byte <= text.count)
      }
      _ = RecordingFormat.detect(text)
    }
    #expect(readCount > 30, "some mutants still read, so that reading is exercised")
    #expect(refusals.count > 5, "mutants fail in different ways")
  }

  @Test func `a corrupt depth body is read or rejected`() throws {
    var generator = SplitMixGenerator(seed: 13)
    let original = DepthFrameCodec.write([
      try DepthFrameCodecTests.frame(seed: 1), try DepthFrameCodecTests.frame(seed: 2),
    ])
    var readCount = 0
    var refusals: Set<RecordingError.Code> = []
    for _ in 0..<2000 {
      let body = ContiguousArray(Self.mutate(original, &generator))
      do throws(RecordingError) {
        let frames = try DepthFrameCodec.read(body)
        readCount += 1
        // A NaN in a header would not yield the same bytes.
        #expect(DepthFrameCodec.write(frames) == Array(body))
      } catch {
        refusals.insert(error.code)
        #expect(error.byte <= body.count)
      }
    }
    #expect(readCount > 30)
    #expect(refusals.isSuperset(of: [.truncated, .wrongFormat, .numberOutOfRange]))
  }
}
