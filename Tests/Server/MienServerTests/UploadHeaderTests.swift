import Testing

@testable import MienServer

@Suite struct `Upload headers` {
  @Test func `metadata contains keys and base64 texts`() throws {
    let read = try TusHeaders.metadata("scan c2NuXzE=,name ZGVwdGguYmlu, is_confidential,,a")
    #expect(read == ["scan": "scn_1", "name": "depth.bin", "is_confidential": "", "a": ""])
    #expect(try TusHeaders.metadata(nil).isEmpty)
  }

  @Test func `a comma before a combining mark is a separator`() throws {
    // Found by fuzzing: both form a single `Character`.
    #expect(try TusHeaders.metadata("a YQ==,\u{345}b Yg==") == ["a": "a", "\u{345}b": "b"])
    #expect(throws: TusHeaders.RejectionReason.self) { try TusHeaders.checksum("sha256 \u{301}AAAA") }
  }

  @Test(arguments: ["a !", "a YQ==,a YQ==", "a /w=="])
  func `invalid and duplicate values are rejected`(header: String) {
    #expect(throws: TusHeaders.RejectionReason.self) { try TusHeaders.metadata(header) }
  }

  @Test(
    arguments: [
      ("0", 0), ("104857600", 104_857_600), ("", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1.0", nil), ("٣", nil),
      ("9999999999999999999", nil), (nil, nil),
    ] as [(String?, Int?)])
  func `a number contains digits only`(header: String?, number: Int?) { #expect(TusHeaders.number(header) == number) }
}
