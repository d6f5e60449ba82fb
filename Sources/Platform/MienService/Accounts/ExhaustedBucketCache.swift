internal import MienCore

/// The buckets that this server knows to be empty, and until when: a flood of tries is no flood of statements.
struct ExhaustedBucketCache: Sendable {
  private static let capacity = 10_000

  private var ends: [SecretDigest: MonotonicInstant] = [:]

  /// How long there is no try in a bucket; nil when the store must be asked.
  func wait(for bucket: SignInRateLimit, at now: MonotonicInstant) -> Interval? {
    guard let end = ends[bucket.digest], now < end else { return nil }
    return end.since(now)
  }

  /// Notes that the store has refused a try. With too many to remember it is asked again.
  mutating func note(_ bucket: SignInRateLimit, for wait: Interval, at now: MonotonicInstant) {
    if ends.count >= Self.capacity { ends = ends.filter { now < $0.value } }
    guard ends.count < Self.capacity else { return }
    ends[bucket.digest] = now + wait
  }

  /// Forgets what is over.
  mutating func removeExpired(at now: MonotonicInstant) { ends = ends.filter { now < $0.value } }
}
