internal import MienCore

/// How many bytes of scans and captures are stored for one API key and for one check. What is announced counts as stored.
public struct StorageQuotas: Hashable, Sendable {
  /// For each API key, and for everybody without one together; nil is without limit.
  public var perKey: Int?
  /// For what is sent with a check's token; nil is without limit.
  public var perCheck: Int?

  public init(perKey: Int? = 100 << 30, perCheck: Int? = 512 << 20) {
    self.perKey = perKey
    self.perCheck = perCheck
  }

  /// The quota of who sends something.
  func bytes(for check: CheckID?) -> Int? { check == nil ? perKey : perCheck }

  /// Refuses what does not fit; `bytes` is the quota.
  static func exceeded(_ bytes: Int?, by check: CheckID?) -> ServiceError {
    let most = bytes.map { " of \($0 >> 20) MiB" } ?? ""
    return ServiceError(
      .storageQuota,
      check == nil
        ? "This would be more than the storage\(most) that an API key may use. Delete scans or captures first."
        : "This would be more than the storage\(most) that a check may use.")
  }
}
