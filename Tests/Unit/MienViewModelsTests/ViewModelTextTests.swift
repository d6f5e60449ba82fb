import MienViewModels
import MienAPI
import Testing

/// Localization of all keys in every language.
@Suite struct `View model texts` {
  @Test func `the texts of all languages are found`() {
    #expect(Texts.languages.count >= 20 && Texts.languages.contains("en") && Texts.languages.contains("zh-Hant"))
  }

  @Test(arguments: Texts.languages) func `every error has a title and a text`(language: String) throws {
    let texts = try Texts.load(language)
    for problem in ViewError.all {
      let notice = try #require(texts.first(problem.notices()))
      #expect(notice.title.key != "problem.unknown.title", "\(problem) in \(language)")
      #expect(texts.has(notice.text.key))
      #expect(texts.words(notice.title) != notice.title.key)
    }
  }

  @Test(arguments: Texts.languages) func `every scan text exists with its placeholders`(language: String) throws {
    let texts = try Texts.load(language)
    for (key, places) in [
      ("photo", ["number", "count"]), ("no-face", []), ("start", []), ("scanning", ["percent", "frames"]),
      ("short", []), ("cut", ["frames"]), ("complete", []), ("sending", []), ("waiting", []), ("done", []),
      ("resumed", []),
    ] as [(String, [String])] {
      #expect(texts.has("app.scan.\(key)"), "\(key) in \(language)")
      let values = Dictionary(uniqueKeysWithValues: places.map { ($0, "<\($0)>") })
      let words = texts.words(LocalizedText("app.scan.\(key)", values))
      #expect(places.allSatisfy { words.contains("<\($0)>") } && !words.contains("{"), "\(words)")
    }
  }

  @Test func `a server error uses the text of its code or a generic one for unknown codes`() throws {
    let texts = try Texts.load("en")
    func key(_ code: String, in place: String? = nil) -> String? {
      texts.first(ViewError(code: code, recovery: .again).notices(in: place))?.title.key
    }
    #expect(key("not-found") == "problem.not-found.title")
    #expect(key("not-found", in: "messages") == "messages.problem.not-found.title")
    #expect(key("offline", in: "messages") == "messages.trouble.offline.title")
    #expect(key("of-tomorrow") == "problem.unknown.title")
  }

  @Test func `a scan diagnostic uses the text of its code or the server's message for unknown codes`() throws {
    let texts = try Texts.load("de")
    func words(_ code: String) -> String {
      texts.words(ScanDiagnosticResponse(code: code, values: ["count": "7"], text: "{count} in English"))
    }
    #expect(words("frames.enough") == "Tiefenbilder: 7.")
    #expect(words("of-tomorrow") == "{count} in English")
  }

  @Test func `values are inserted verbatim and missing values are visible`() throws {
    let texts = try #require(LocalizationTable(Array(#"{"a": "{x} and {y} {", "s.1": "one", "s.2": "two"}"#.utf8)))
    #expect(texts.words(LocalizedText("a", ["x": "{y}", "z": "?"])) == "{y} and {y} {")
    #expect(texts.words(LocalizedText("gone")) == "gone" && texts.words(.own("{x}")) == "{x}")
    #expect(texts.list("s") == ["one", "two"])
    for bad in ["", "[]", #"{"a": 1}"#, "\u{0}"] { #expect(LocalizationTable(Array(bad.utf8)) == nil) }
  }
}
