import Foundation

/// User and system CPU time of another process, over all its threads.
struct ProcessTime {
  let pid: Int

  /// Returns the time in seconds with a resolution of 0.01, or `nil` if the process does not exist.
  func seconds() -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    // After the name in brackets: fields 3 and up of proc(5); 14 and 15 are utime and stime in ticks of 1/100 s.
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
    return (user + system) / 100
  }
}

/// Response times in milliseconds.
struct Times: Sendable {
  private(set) var all: [Double] = []

  mutating func add(_ duration: Duration) {
    all.append(Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15)
  }

  mutating func add(_ other: Times) {
    all += other.all
  }

  /// Returns the smallest value that at least `share` of all values do not exceed, or `nil` if there are no values.
  func quantile(_ share: Double) -> Double? {
    guard !all.isEmpty else { return nil }
    let sorted = all.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }
}

func text(_ value: Double?, _ decimals: Int = 1) -> String {
  value.map { String(format: "%.\(decimals)f", $0) } ?? "–"
}
