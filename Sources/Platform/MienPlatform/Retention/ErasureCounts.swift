/// A kind of data that is deleted with a person or a check.
public enum DeletedDataKind: String, Hashable, Sendable, CaseIterable {
  /// Checks with their verdicts.
  case checks
  /// Stored images of checks.
  case images
  /// Stored clips of checks.
  case clips
  /// Frames recorded for a clip.
  case frameLogs = "frame_logs"
  /// Saved states of checks in progress.
  case snapshots
  /// Sessions created through a compatible API.
  case sessions
  /// Webhook messages about checks, delivered or not.
  case webhooks
  /// Versions of a person's own thresholds.
  case enrollments = "enrollments"
  /// The template of an enrolled person, and templates of checks that passed.
  case templates
  /// Recorded failures of the person, and of devices that only this person used.
  case lockouts
  /// Scans made with a check's token.
  case scans
  /// Files of these scans, complete or not.
  case scanFiles = "scan_files"
  /// Captures made with a check's token.
  case captures
  /// Files of these captures.
  case captureFiles = "capture_files"
}

/// Numbers of deleted items, as proof of the deletion.
public struct ErasureCounts: Hashable, Sendable {
  private var counts: [DeletedDataKind: Int] = [:]

  public init(_ counts: [DeletedDataKind: Int] = [:]) { self.counts = counts.filter { $0.value != 0 } }

  public subscript(kind: DeletedDataKind) -> Int {
    get { counts[kind, default: 0] }
    set { counts[kind] = newValue == 0 ? nil : newValue }
  }

  /// `true` if nothing was deleted.
  public var isEmpty: Bool { counts.isEmpty }

  public static func + (left: ErasureCounts, right: ErasureCounts) -> ErasureCounts {
    ErasureCounts(left.counts.merging(right.counts, uniquingKeysWith: +))
  }
}
