/// A page's HTML with its own scripts and style sheets replaced by those of its bundle.
struct PageDocument {
  /// Style sheet of a page, and the media that it applies to.
  struct StyleSheet: Equatable {
    let path: String
    let media: String?
  }

  /// Paths of the page's style sheets and of its own modules, in their order.
  let styles: [StyleSheet]
  let scripts: [String]
  private let before: String
  private let after: String

  /// - Parameter source: HTML with one `<link>` or `<script>` a line, in its head.
  init(_ source: String) {
    var (styles, scripts) = ([StyleSheet](), [String]())
    var (before, after) = ("", "")
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains("<link rel=\"stylesheet\""), let path = Self.attribute("href", of: line) {
        styles.append(StyleSheet(path: path, media: Self.attribute("media", of: line).map { String($0) }))
      } else if line.contains("<script type=\"module\" src=\"/assets/"), let path = Self.attribute("src", of: line) {
        scripts.append(path)
      } else if styles.isEmpty && scripts.isEmpty {
        before += line + "\n"
      } else {
        after += line + "\n"
      }
    }
    (self.styles, self.scripts) = (styles, scripts)
    self.before = before
    self.after = String(after.dropLast())
  }

  /// Returns the page that loads these files.
  ///
  /// The texts are announced before the script that asks for them has arrived. Without `crossorigin`, browsers would fetch them twice.
  func text(style: String, script: String, texts: String?) -> String {
    var links = "  <link rel=\"stylesheet\" href=\"\(style)\">\n"
    links += "  <link rel=\"modulepreload\" href=\"\(script)\">\n"
    if let texts { links += "  <link rel=\"preload\" href=\"\(texts)\" as=\"fetch\" crossorigin>\n" }
    return before + links + "  <script type=\"module\" src=\"\(script)\"></script>\n" + after
  }

  /// Returns an attribute whose value is a path of this server, without its first slash, or any text.
  private static func attribute(_ name: String, of line: Substring) -> String? {
    guard let start = line.range(of: " \(name)=\"")?.upperBound else { return nil }
    let value = line[start...].prefix { $0 != "\"" }
    return String(value.first == "/" ? value.dropFirst() : value)
  }
}

extension Substring {
  /// Returns the range of the first occurrence of a text.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
