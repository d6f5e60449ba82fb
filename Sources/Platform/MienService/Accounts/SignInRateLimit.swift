public import MienCore

/// Tries to sign in, of a name or of an address, as a store counts them: so many at once, and each comes back after a while.
///
/// A store keeps one number of it, when it is full again: each try that is taken puts that off by ``refill``, and a bucket
/// for which there is none is full.
public struct SignInRateLimit: Hashable, Sendable {
  /// Whose it is, which nobody reads out of it.
  public let digest: SecretDigest
  /// After how many milliseconds a try comes back.
  public let refill: Int64
  /// After how many milliseconds an empty one is full again.
  public let filling: Int64

  /// - Parameters:
  ///   - burst: how many tries there are at once; at least 1.
  ///   - refill: after how long one comes back; at least a millisecond.
  public init(digest: SecretDigest, burst: Int, refill: Interval) {
    precondition(burst >= 1 && refill >= .milliseconds(1))
    self.digest = digest
    self.refill = refill.nanoseconds / 1_000_000
    filling = self.refill * Int64(burst)
  }
}
