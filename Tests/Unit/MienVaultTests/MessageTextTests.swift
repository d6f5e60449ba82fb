import MienVault
import Testing

@Suite struct `Message text` {
  @Test(arguments: [
    "a", String(repeating: "x", count: 100), "🍕", String(repeating: "👨‍👩‍👧‍👦", count: 100), "e\u{301}", "two\nlines",
    "שלום \u{202E}abc\u{202C}", "<script>alert(1)</script>", " padded ",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E007F}",
  ])
  func `text is kept unchanged`(text: String) throws {
    #expect(Array(try MessageText(text).text.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: [
    ("", MessageTextError.Code.empty), ("   ", .empty), ("\n\n", .empty), ("\u{200B}\u{200D}\u{FEFF}", .empty),
    (String(repeating: "x", count: 101), .tooLong), (String(repeating: "👨‍👩‍👧‍👦", count: 101), .tooLong),
    ("a" + String(repeating: "\u{301}", count: 2500), .tooManyBytes),
    (String(repeating: "x", count: 5001), .tooManyBytes),
    ("a\u{0}b", .controlCharacter), ("\u{1B}[31m", .controlCharacter), ("a\tb", .controlCharacter),
    ("a\r\nb", .controlCharacter), ("a\u{7F}", .controlCharacter), ("a\u{85}b", .controlCharacter),
    ("\u{0}", .controlCharacter),
  ])
  func `invalid text is rejected with a reason`(text: String, code: MessageTextError.Code) {
    let refusal = #expect(throws: MessageTextError.self) { _ = try MessageText(text) }
    #expect(refusal?.code == code)
    #expect(refusal?.description == code.text)
  }
}
