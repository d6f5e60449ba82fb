public import MienPlatform
public import MienCore

/// A token bucket of sign-in attempts, for a name or an address, as counted by a store.
///
/// A store saves a single number for it, the time at which it is full again: each attempt taken postpones that by
/// ``refill``, and a bucket without a stored time is full.
public struct SignInRateLimit: Hashable, Sendable {
  /// Identifies the bucket without revealing the name or address.
  public let digest: SecretDigest
  /// Milliseconds until one attempt is added.
  public let refill: Int64
  /// Milliseconds until an empty bucket is full again.
  public let filling: Int64

  /// - Parameters:
  ///   - burst: capacity of the bucket; at least 1.
  ///   - refill: time until one attempt is added; at least a millisecond.
  public init(digest: SecretDigest, burst: Int, refill: Interval) {
    precondition(burst >= 1 && refill >= .milliseconds(1))
    self.digest = digest
    self.refill = refill.nanoseconds / 1_000_000
    filling = self.refill * Int64(burst)
  }
}
