internal import MienPlatform

/// Renders the number of items deleted because they expired, for both realms together, in Prometheus' text exposition
/// format 0.0.4.
enum RetentionMetrics {
  static func render(_ books: [PurgeCounter]) -> String {
    let totals = books.map(\.totals)
    var lines = [
      "# HELP mien_erased_by_age_total What was erased because it had been kept for as long as the settings say.",
      "# TYPE mien_erased_by_age_total counter",
    ]
    for kind in RetentionCategory.allCases {
      let count = totals.reduce(0) { $0 + $1[kind, default: 0] }
      lines.append("mien_erased_by_age_total{kind=\"\(kind.rawValue)\"} \(count)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
