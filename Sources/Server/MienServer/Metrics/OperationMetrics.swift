internal import MienPlatform

/// Renders durations of file, database and wait operations in Prometheus' text exposition format 0.0.4.
enum OperationMetrics {
  private struct Family {
    let name: String
    let help: String
    /// Labels of every kind of operation in the family.
    let kinds: [(labels: String, work: OperationTimings.Work)]
  }

  private static let families = [
    Family(
      name: "mien_blob_operation_duration_seconds", help: "Duration of blob store operations, by store and operation.",
      kinds: OperationTimings.BlobStoreKind.allCases.flatMap { store in
        OperationTimings.BlobOperation.allCases.map { operation in
          ("operation=\"\(operation.rawValue)\",store=\"\(store.rawValue)\"", .blob(store, operation))
        }
      }),
    Family(
      name: "mien_database_operation_duration_seconds",
      help: "Duration of database operations, by store and operation.",
      kinds: OperationTimings.DatabaseKind.allCases.flatMap { store in
        OperationTimings.DatabaseOperation.allCases.map { operation in
          ("operation=\"\(operation.rawValue)\",store=\"\(store.rawValue)\"", .database(store, operation))
        }
      }),
    Family(
      name: "mien_pool_wait_duration_seconds",
      help: "Time spent waiting for a free face tracker or database connection, by pool.",
      kinds: OperationTimings.Pool.allCases.map { ("pool=\"\($0.rawValue)\"", .wait($0)) }),
  ]

  /// Renders operations that occurred at least once.
  static func render(_ readings: [OperationTimings.Work: OperationTimings.Reading]) -> String {
    var lines: [String] = []
    for family in families {
      lines.append("# HELP \(family.name) \(family.help)")
      lines.append("# TYPE \(family.name) histogram")
      for (labels, work) in family.kinds {
        guard let reading = readings[work] else { continue }
        var count = 0
        for (bound, more) in zip(OperationTimings.bounds.map { "\($0)" } + ["+Inf"], reading.counts) {
          count += more
          lines.append("\(family.name)_bucket{\(labels),le=\"\(bound)\"} \(count)")
        }
        lines.append("\(family.name)_sum{\(labels)} \(reading.sum)")
        lines.append("\(family.name)_count{\(labels)} \(count)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
