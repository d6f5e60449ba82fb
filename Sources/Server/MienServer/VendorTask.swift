/// Translates tasks with the vendor's names: `id` for `kind`, `completeTheCircle` for `complete-the-circle`, `maxBlinks` for
/// `max_blinks`.
enum VendorTask {
  static func translated(_ task: [String: Any]) -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in task {
      switch key {
      case "id", "kind": result["kind"] = (value as? String).map { separated($0, by: "-") } ?? value
      case "questions": result[key] = (value as? [[String: Any]]).map { $0.map(snakeCase) } ?? value
      default: result[separated(key, by: "_")] = value
      }
    }
    return result
  }

  private static func snakeCase(_ members: [String: Any]) -> [String: Any] {
    Dictionary(members.map { (separated($0.key, by: "_"), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes a name in lower case with a separator before each capital letter.
  private static func separated(_ name: String, by separator: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? separator + $1.lowercased() : String($1) }
  }
}
