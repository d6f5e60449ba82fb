/// Options of a command, parsed from its help text; a configuration file and the environment can set them too.
package struct OptionCatalog {
  enum Kind { case value, list, flag, switchable }

  struct Option {
    /// Option name, such as `tls-cert`.
    let name: String
    let kind: Kind

    /// Name of the environment variable, such as `MIEN_TLS_CERT`.
    var variable: String { "MIEN_" + name.uppercased().replacing("-", with: "_") }
  }

  let options: [Option]

  /// - Parameters:
  ///   - help: help text of the command, with one option per line.
  ///   - lists: names of the options that may be repeated.
  package init(help: String, lists: Set<String>) {
    options = help.split(separator: "\n").compactMap { line in
      let pattern = #/  (?:-\w, )?--([a-z0-9-]+)(/--no-[a-z0-9-]+)?( <[^>]+>)?(?: |$)/#
      guard let found = line.prefixMatch(of: pattern) else { return nil }
      let name = String(found.1)
      guard !["help", "version"].contains(name) else { return nil }
      let kind: Kind =
        found.3 != nil ? (lists.contains(name) ? .list : .value) : found.2 != nil ? .switchable : .flag
      return Option(name: name, kind: kind)
    }
  }

  /// Returns the name with the smallest edit distance to `name`, or `nil` if all are further away than `limit`.
  package static func nearest(_ name: String, among names: [String], within limit: Int = .max) -> String? {
    names.map { (distance(name, $0), $0) }.filter { $0.0 <= limit }.min { $0 < $1 }?.1
  }

  /// Returns the Levenshtein distance: the number of bytes to change, insert or delete.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    var row = Array(0...other.count)
    for (line, letter) in one.enumerated() {
      var before = row[0]
      row[0] = line + 1
      for (place, found) in other.enumerated() {
        let changed = before + (letter == found ? 0 : 1)
        before = row[place + 1]
        row[place + 1] = min(changed, row[place] + 1, before + 1)
      }
    }
    return row[other.count]
  }
}
