/// A text by its key, with the values of its places; a table of one language makes it words. Or words of somebody else's
/// own, which no table has.
public struct LocalizedText: Hashable, Sendable {
  public var key: String
  /// What stands in the places `{name}`.
  public var values: [String: String]
  /// Words as they are, instead of those of the key.
  public var own: String?

  /// Somebody else's words, for example an integrator's question.
  public static func own(_ words: String) -> LocalizedText {
    var text = LocalizedText("")
    text.own = words
    return text
  }

  public init(_ key: String, _ values: [String: String] = [:]) {
    self.key = key
    self.values = values
  }
}

/// A title and what belongs below it.
public struct ViewNotice: Hashable, Sendable {
  public var title: LocalizedText
  public var text: LocalizedText
  /// The beginning of the keys of things to do: `<steps>.1`, `<steps>.2`, … as far as there are texts.
  public var steps: String

  /// The notice whose keys begin alike.
  public init(_ key: String, _ values: [String: String] = [:]) {
    title = LocalizedText("\(key).title", values)
    text = LocalizedText("\(key).text", values)
    steps = "\(key).step"
  }
}
