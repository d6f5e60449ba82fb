internal import MienPlatform

/// Renders the availability of external dependencies in Prometheus' text exposition format 0.0.4.
enum DependencyMetrics {
  static func render(_ monitor: DependencyHealthMonitor) -> String {
    let away = Set(monitor.away.map(\.kind))
    var lines = [
      "# HELP mien_part_up Whether a part outside the process answered when it was looked at last.",
      "# TYPE mien_part_up gauge",
    ]
    for part in monitor.parts {
      lines.append("mien_part_up{part=\"\(part.kind.rawValue)\"} \(away.contains(part.kind) ? 0 : 1)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
