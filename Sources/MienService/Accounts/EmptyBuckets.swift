internal import MienModel

/// The buckets that this server knows to be empty, and until when: a flood of tries is no flood of statements.
struct EmptyBuckets: Sendable {
  private static let capacity = 10_000

  private var ends: [SecretDigest: Instant] = [:]

  /// How long there is no try in a bucket; nil when the store must be asked.
  func wait(for bucket: TryBucket, at now: Instant) -> Interval? {
    guard let end = ends[bucket.digest], now < end else { return nil }
    return end.since(now)
  }

  /// Notes that the store has refused a try. With too many to remember it is asked again.
  mutating func note(_ bucket: TryBucket, for wait: Interval, at now: Instant) {
    if ends.count >= Self.capacity { ends = ends.filter { now < $0.value } }
    guard ends.count < Self.capacity else { return }
    ends[bucket.digest] = now + wait
  }

  /// Forgets what is over.
  mutating func sweep(at now: Instant) { ends = ends.filter { now < $0.value } }
}
