public import Foundation
public import MienViewModels

/// Writes keys as words of one language; what has no words shows its key, so that a gap is seen.
public struct Localizer: Sendable {
  /// The language's code, such as `de`.
  public let language: String
  private let texts: LocalizationTable?

  public init(language: String, texts: LocalizationTable?) {
    self.language = language
    self.texts = texts
  }

  /// The first of the person's languages that there is a file of, else English.
  ///
  /// - Parameters:
  ///   - folder: has `<code>.json` for each language, the same files as the pages use.
  ///   - preferred: tags such as `pt-BR`, the dearest first.
  public init(folder: URL, preferred: [String]) {
    for tag in preferred + ["en"] {
      // A tag names no file but one of the folder.
      let code = String(tag.prefix { $0.isASCII && $0.isLetter }).lowercased()
      guard !code.isEmpty, let file = try? Data(contentsOf: folder.appendingPathComponent("\(code).json")),
        let texts = LocalizationTable(Array(file))
      else { continue }
      self.init(language: code, texts: texts)
      return
    }
    self.init(language: "en", texts: nil)
  }

  /// The app's own: the folder `texts` of its bundle, in the person's language.
  public static var main: Localizer {
    Localizer(
      folder: Bundle.main.bundleURL.appendingPathComponent("texts"), preferred: Locale.preferredLanguages)
  }

  public func callAsFunction(_ text: LocalizedText) -> String { texts?.words(text) ?? text.own ?? text.key }
  public func callAsFunction(_ key: String, _ values: [String: String] = [:]) -> String {
    self(LocalizedText(key, values))
  }

  /// The notice to show: the most particular that has words.
  public func notice(_ notices: [ViewNotice]) -> ViewNotice? { texts?.first(notices) ?? notices.last }

  /// What can be done, line by line.
  public func steps(_ notice: ViewNotice) -> [String] { texts?.list(notice.steps) ?? [] }

  /// Whether there are words.
  public func has(_ text: LocalizedText) -> Bool { text.own != nil || texts?.has(text.key) == true }

  /// Whether it is written from right to left.
  public var isRightToLeft: Bool { language == "ar" || language == "he" }
}
