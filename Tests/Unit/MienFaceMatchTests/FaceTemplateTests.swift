import MienCore
import MienFaceMatch
import Testing

@Suite struct `Face template` {
  private static func template(_ values: [Int: Float]) throws -> FaceTemplate {
    try #require(FaceTemplate((0..<FaceTemplate.count).map { values[$0] ?? 0 }))
  }

  @Test func `similarity is the cosine`() throws {
    let (one, other) = (try Self.template([0: 3]), try Self.template([0: 1, 1: 1]))
    #expect(abs(one.similarity(to: other) - 0.70711) < 1e-4)
    #expect(one.similarity(to: one) == 1)
    #expect(one.similarity(to: try Self.template([0: -2])) == -1)
    #expect(one.similarity(to: try Self.template([5: 1])) == 0)
  }

  @Test func `an output without a direction is not a template`() {
    #expect(FaceTemplate([Float](repeating: 0, count: FaceTemplate.count)) == nil)
    #expect(FaceTemplate([Float](repeating: .nan, count: FaceTemplate.count)) == nil)
    #expect(FaceTemplate([Float](repeating: .infinity, count: FaceTemplate.count)) == nil)
    #expect(FaceTemplate([Float](repeating: 1, count: FaceTemplate.count - 1)) == nil)
  }

  @Test func `bytes are read back, and those of another model are not`() throws {
    let template = try Self.template([0: 0.5, 7: -2, 127: 1])
    let bytes = template.bytes
    let read = try #require(FaceTemplate(bytes: bytes))
    #expect(read.similarity(to: template) > 0.99999)
    #expect(FaceTemplate(bytes: Array(bytes.dropLast())) == nil)
    var other = bytes
    other[0] = UInt8(ascii: "t")
    #expect(FaceTemplate(bytes: other) == nil)
    #expect(FaceTemplate(bytes: []) == nil)
  }

  @Test func `nothing of a template is printed`() throws {
    let template = try Self.template([3: 1])
    #expect("\(template)" == "FaceTemplate(withheld)" && String(reflecting: [template]).contains("withheld"))
    var dumped = ""
    dump(template, to: &dumped)
    #expect(!dumped.contains("1.0"))
  }

  @Test func `the similarity of a check is the median of at least three frames`() throws {
    let reference = try Self.template([0: 1])
    let frames = try [1, 0.5, 0, 0.2, 4].map { try Self.template([0: $0, 1: 1]) }
    #expect(MatchSeries.similarity(of: Array(frames.prefix(2)), to: reference) == nil)
    let median = try #require(MatchSeries.similarity(of: frames, to: reference))
    #expect(abs(median - 0.44721) < 1e-4)
    let four = try #require(MatchSeries.similarity(of: Array(frames.prefix(4)), to: reference))
    #expect(abs(four - (0.44721 + 0.19612) / 2) < 1e-4)
  }

  @Test func `percentages of the compatible API rise with the similarity and are 80 at the threshold`() {
    let threshold = MatchThreshold.standard
    #expect(threshold.isMatch(0.363) && !threshold.isMatch(0.3629))
    #expect(threshold.percentage(-1) == 0 && threshold.percentage(0.363) == 80 && threshold.percentage(1) == 100)
    var last: Float = -1
    for step in 0...200 {
      let percentage = threshold.percentage(Float(step) / 100 - 1)
      #expect(percentage >= last && (0...100).contains(percentage))
      last = percentage
    }
  }
}
