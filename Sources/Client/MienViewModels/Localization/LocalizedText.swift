/// Text that is localized by key with placeholder values, or a literal text.
public struct LocalizedText: Hashable, Sendable {
  public var key: String
  /// Values for the placeholders `{name}`.
  public var values: [String: String]
  /// Literal text, used instead of the key.
  public var own: String?

  /// Creates a literal text, for example an integrator's question.
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

/// Title, text and steps of a notice.
public struct ViewNotice: Hashable, Sendable {
  public var title: LocalizedText
  public var text: LocalizedText
  /// Prefix of the keys of recovery steps: `<steps>.1`, `<steps>.2`, ….
  public var steps: String

  /// Creates a notice whose keys share a prefix.
  public init(_ key: String, _ values: [String: String] = [:]) {
    title = LocalizedText("\(key).title", values)
    text = LocalizedText("\(key).text", values)
    steps = "\(key).step"
  }
}
