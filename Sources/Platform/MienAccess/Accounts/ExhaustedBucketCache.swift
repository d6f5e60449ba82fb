internal import MienPlatform
internal import MienCore

/// Caches which buckets are empty, and until when, so that a flood of attempts causes no flood of SQL statements.
struct ExhaustedBucketCache: Sendable {
  private static let capacity = 10_000

  private var ends: [SecretDigest: MonotonicInstant] = [:]

  /// Returns the time until a bucket has an attempt; `nil` if the store must be queried.
  func wait(for bucket: SignInRateLimit, at now: MonotonicInstant) -> Interval? {
    guard let end = ends[bucket.digest], now < end else { return nil }
    return end.since(now)
  }

  /// Records that the store refused an attempt. If the cache is full, the store is queried again next time.
  mutating func note(_ bucket: SignInRateLimit, for wait: Interval, at now: MonotonicInstant) {
    if ends.count >= Self.capacity { ends = ends.filter { now < $0.value } }
    guard ends.count < Self.capacity else { return }
    ends[bucket.digest] = now + wait
  }

  /// Removes expired entries.
  mutating func removeExpired(at now: MonotonicInstant) { ends = ends.filter { now < $0.value } }
}
