import Testing

@testable import MienServer

/// Parsing of bearer tokens.
@Suite struct `Bearer token parsing` {
  @Test(
    arguments: [
      ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER   abc", "abc"), ("Bearer abc  ", "abc"), ("Bearer", nil),
      ("Bearer ", nil), ("Bearer    ", nil), ("Bearer a b", nil), ("Basic abc", nil), ("Bearerabc", nil), ("", nil),
      (" Bearer abc", nil), ("Bearer\u{1F600} abc", nil), ("Bearer ä", "ä"), ("B", nil),
      ("Bearer " + String(repeating: "x", count: 3000), nil),
    ] as [(String, String?)])
  func `the token is the only value after the scheme`(header: String, secret: String?) {
    #expect(RequestParsing.bearer(authorization: header) == secret)
  }
}
