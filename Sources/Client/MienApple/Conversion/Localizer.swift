public import Foundation
public import MienViewModels

/// Localizes texts in one language; a key without a text is shown as is, which makes missing texts visible.
public struct Localizer: Sendable {
  /// Language code, such as `de`.
  public let language: String
  private let texts: LocalizationTable?

  public init(language: String, texts: LocalizationTable?) {
    self.language = language
    self.texts = texts
  }

  /// Selects the first preferred language with a text file, or English.
  ///
  /// - Parameters:
  ///   - folder: folder with a `<code>.json` file for each language, the same files as on the web pages.
  ///   - preferred: language tags such as `pt-BR`, in order of preference.
  public init(folder: URL, preferred: [String]) {
    for tag in preferred + ["en"] {
      let code = Self.code(of: tag)
      guard !code.isEmpty, let file = try? Data(contentsOf: folder.appendingPathComponent("\(code).json")),
        let texts = LocalizationTable(Array(file))
      else { continue }
      self.init(language: code, texts: texts)
      return
    }
    self.init(language: "en", texts: nil)
  }

  /// Returns the code of the texts for a language tag, such as `pt` for `pt-BR`: letters only, so that the tag cannot
  /// refer to a file outside the folder. Chinese has texts by script, which follows from the region.
  private static func code(of tag: String) -> String {
    let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
    let language = String(parts.first.map { $0.prefix { $0.isASCII && $0.isLetter } } ?? "")
    switch language {
    case "iw": return "he"
    case "in": return "id"
    case "zh":
      if parts.contains("hans") { return "zh-Hans" }
      return Set(parts).isDisjoint(with: ["hant", "tw", "hk", "mo"]) ? "zh-Hans" : "zh-Hant"
    default: return language
    }
  }

  /// Localizer for the user's language, with the texts of this module.
  public static var main: Localizer { Localizer(preferred: Locale.preferredLanguages) }

  /// Selects the first preferred language of this module's texts, or English.
  ///
  /// - Parameter preferred: language tags such as `pt-BR`, in order of preference.
  public init(preferred: [String]) { self.init(folder: Self.texts, preferred: preferred) }

  /// Folder with the texts in the bundle of this module: the files of the web pages.
  static var texts: URL { (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appendingPathComponent("texts") }

  public func callAsFunction(_ text: LocalizedText) -> String { texts?.words(text) ?? text.own ?? text.key }
  public func callAsFunction(_ key: String, _ values: [String: String] = [:]) -> String {
    self(LocalizedText(key, values))
  }

  /// Returns the notice to show: the most specific one that has a text.
  public func notice(_ notices: [ViewNotice]) -> ViewNotice? { texts?.first(notices) ?? notices.last }

  /// Returns the recovery steps of a notice.
  public func steps(_ notice: ViewNotice) -> [String] { texts?.list(notice.steps) ?? [] }

  /// Reports whether a localized text exists.
  public func has(_ text: LocalizedText) -> Bool { text.own != nil || texts?.has(text.key) == true }

  /// `true` for right-to-left languages.
  public var isRightToLeft: Bool { language == "ar" || language == "he" }
}
