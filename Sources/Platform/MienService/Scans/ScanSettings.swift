public import MienCore

/// What an operator can set about scans.
public struct ScanSettings: Sendable {
  public var space = Realm.live
  /// The largest scan, all its files together, in bytes.
  public var maximumBytes = 2048 << 20
  /// The largest scan that a check's token may send, in bytes.
  public var maximumCheckBytes = 200 << 20
  /// The largest metadata, in bytes.
  public var maximumTextBytes = 64 << 10
  /// Most files of a scan.
  public var maximumFiles = 8000
  /// How many scans of one key may wait for files.
  public var maximumOpen = 100
  /// How many bytes are stored for a key and for a check.
  public var quotas = StorageQuotas()
  /// Scans whose files do not come, and scans that failed or were cancelled, are erased after this long.
  public var patience = Interval.seconds(86_400)
  /// How long scans stay; nil keeps them until they are erased.
  public var lifetime: Interval?
  /// How often the work on a scan may be begun when the process died over it.
  public var maximumAttempts = 3
  /// How long stores or the disk may fail a scan's work before the scan is given up.
  public var outage = Interval.seconds(900)

  public init() {}
}
