import Foundation

/// The CPU time of another process, user and system, of all its threads.
struct ProcessTime {
  let pid: Int

  /// Seconds, in steps of 0.01; nil when there is no such process.
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

/// Milliseconds of many replies.
struct Times: Sendable {
  private(set) var all: [Double] = []

  mutating func add(_ duration: Duration) {
    all.append(Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15)
  }

  mutating func add(_ other: Times) {
    all += other.all
  }

  /// The smallest value that at least `share` of all do not exceed; nil when there is none.
  func quantile(_ share: Double) -> Double? {
    guard !all.isEmpty else { return nil }
    let sorted = all.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }
}

func text(_ value: Double?, _ decimals: Int = 1) -> String {
  value.map { String(format: "%.\(decimals)f", $0) } ?? "–"
}
