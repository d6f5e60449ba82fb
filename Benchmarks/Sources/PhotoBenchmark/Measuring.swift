import Foundation

/// Measures processor time and memory of this process.
enum Measuring {
  /// Returns the processor time of the calling thread in milliseconds, which excludes other processes.
  static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  /// Returns the processor time of `work` in milliseconds.
  static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = processorTime()
    try work()
    return processorTime() - start
  }

  /// Returns the elapsed time in milliseconds. On a shared machine, only the minimum of many measurements is
  /// meaningful.
  static func wall(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return try clock.measure(work) / .milliseconds(1)
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// Returns a value of `/proc/self/status` in megabytes: `VmRSS` is the current resident memory, `VmHWM` its peak.
  static func megabytes(_ name: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return (line?.split(separator: " ").compactMap { Double($0) }.first ?? .nan) / 1024
  }

  /// Resets the peak memory to the current value.
  static func forgetPeak() throws {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  static func text(_ value: Double) -> String { String(format: "%.3f", value) }
}
