/// A kind of data that is erased with a person or a check.
public enum ErasedKind: String, Hashable, Sendable, CaseIterable {
  /// With their verdicts.
  case checks
  /// Kept pictures of checks.
  case images = "pictures"
  /// Kept clips of checks.
  case films
  /// The frames that a clip was to be made of.
  case frameLogs = "frame_logs"
  /// States of checks under way.
  case snapshots
  /// Records of checks that were created by another provider's API.
  case sessions
  /// Webhook messages about checks, sent or not.
  case webhooks
  /// Versions of a person's own thresholds.
  case enrollments = "enrolments"
  /// Remembered failures of the person, and of devices that only this person used.
  case lockouts
  /// Scans that were made with a check's token.
  case scans
  /// Files of these scans, whole or not.
  case scanFiles = "scan_files"
  /// Captures that were made with a check's token.
  case captures
  /// Files of these captures.
  case captureFiles = "capture_files"
}

/// Counts what was erased, for proof.
public struct ErasureCounts: Hashable, Sendable {
  private var counts: [ErasedKind: Int] = [:]

  public init(_ counts: [ErasedKind: Int] = [:]) { self.counts = counts.filter { $0.value != 0 } }

  public subscript(kind: ErasedKind) -> Int {
    get { counts[kind, default: 0] }
    set { counts[kind] = newValue == 0 ? nil : newValue }
  }

  /// True when nothing was there.
  public var isEmpty: Bool { counts.isEmpty }

  public static func + (left: ErasureCounts, right: ErasureCounts) -> ErasureCounts {
    ErasureCounts(left.counts.merging(right.counts, uniquingKeysWith: +))
  }
}
