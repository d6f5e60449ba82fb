package import MienCore

/// Maximum number of bytes of scans and captures stored for one API key and for one check. Announced uploads count as
/// stored.
public struct StorageQuotas: Hashable, Sendable {
  /// Limit for each API key, and for all clients without one together; `nil` for no limit.
  public var perKey: Int?
  /// Limit for data sent with a check's token; `nil` for no limit.
  public var perCheck: Int?

  public init(perKey: Int? = 100 << 30, perCheck: Int? = 512 << 20) {
    self.perKey = perKey
    self.perCheck = perCheck
  }

  /// Returns the owner digest of data sent with a check's token: it belongs to the check, not to an API key.
  package static func owner(_ check: CheckID) -> SecretDigest { SecretDigest(of: "check \(check.text)") }

  /// Returns the quota that applies to a sender.
  package func bytes(for check: CheckID?) -> Int? { check == nil ? perKey : perCheck }

  /// Returns the error for exceeding a quota of `bytes`.
  package static func exceeded(_ bytes: Int?, by check: CheckID?) -> ServiceError {
    let most = bytes.map { " of \($0 >> 20) MiB" } ?? ""
    return ServiceError(
      .storageQuota,
      check == nil
        ? "This would exceed the storage\(most) that an API key may use. Delete scans or captures first."
        : "This would exceed the storage\(most) that a check may use.")
  }
}
