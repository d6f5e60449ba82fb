import Foundation
import MienApple
import MienViewModels
import Testing

/// Localization in the user's language.
@Suite struct `Localized texts` {
  static let texts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Web/assets/texts")

  @Test(arguments: [
    (["de-AT", "en"], "de"), (["pt-BR"], "pt"), (["xx", "fr-CA"], "fr"), ([], "en"), (["../de"], "en"),
    (["zh-Hans-CN"], "zh-Hans"), (["zh-Hant-TW"], "zh-Hant"), (["zh-HK"], "zh-Hant"), (["zh"], "zh-Hans"),
    (["in_ID"], "id"), (["iw"], "he"), (["zh/../de"], "zh-Hans"),
    (["DE"], "de"),
  ])
  func `the preferred available language is chosen`(preferred: [String], language: String) {
    let localizer = Localizer(folder: Self.texts, preferred: preferred)
    #expect(localizer.language == language && localizer("check.stop") != "check.stop")
  }

  @Test func `without texts the keys are shown`() {
    let localizer = Localizer(folder: Self.texts.appendingPathComponent("nowhere"), preferred: ["de"])
    #expect(localizer("check.stop") == "check.stop" && localizer(.own("Words?")) == "Words?")
    #expect(
      localizer.notice([ViewNotice("a"), ViewNotice("b")])?.title.key == "b.title" && localizer.notice([]) == nil)
  }

  @Test func `right-to-left languages are reported`() {
    for code in ["ar", "he", "de", "en"] {
      #expect(Localizer(folder: Self.texts, preferred: [code]).isRightToLeft == ["ar", "he"].contains(code))
    }
  }

  @Test func `the module brings the texts of the pages in every language`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.texts.path)
    #expect(files.count >= 20)
    for file in files {
      let tag = String(file.dropLast(".json".count))
      let module = Localizer(preferred: [tag])
      let page = Localizer(folder: Self.texts, preferred: [tag])
      #expect(module.language == tag && page.language == tag)
      for key in ["check.stop", "element.close", "app.enroll.done", "reason.wrong-direction.title"] {
        #expect(module(key) == page(key) && module(key) != key, "\(tag) \(key)")
      }
    }
    #expect(Localizer.main("check.stop") != "check.stop")
  }
}
