internal import MienCore

/// How often each caller may ask: a bucket of tokens each, which fills up again with time.
///
/// It remembers between `capacity` and twice as many callers and forgets those first who have not asked for longest; who
/// is forgotten has a full bucket.
struct TokenBucketRateLimiter<Caller: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var tokens: Double
    var at: MonotonicInstant
  }

  /// How many times a caller may ask at once.
  let burst: Double
  /// How many tokens a second come back.
  let refill: Double
  private let capacity: Int
  private var current: [Caller: Bucket] = [:]
  private var before: [Caller: Bucket] = [:]

  /// - Parameters:
  ///   - burst: at least 1.
  ///   - perHour: how many tokens come back in an hour; more than 0.
  init(burst: Int, perHour: Int, capacity: Int = 10_000) {
    precondition(burst >= 1 && perHour > 0 && capacity > 0)
    self.burst = Double(burst)
    refill = Double(perHour) / 3600
    self.capacity = capacity
  }

  /// Takes a token out of the caller's bucket.
  ///
  /// - Returns: nil when there was one, or else how long to wait for one.
  mutating func take(for caller: Caller, at now: MonotonicInstant) -> Interval? {
    var bucket = current[caller] ?? before[caller] ?? Bucket(tokens: burst, at: now)
    // A clock that was put back takes no token away.
    let passed = max(0, now.since(bucket.at).inSeconds)
    bucket.tokens = min(burst, bucket.tokens + passed * refill)
    bucket.at = now
    let isGranted = bucket.tokens >= 1
    if isGranted { bucket.tokens -= 1 }
    if current[caller] == nil, current.count >= capacity {
      before = current
      current = [:]
    }
    current[caller] = bucket
    return isGranted ? nil : .seconds((1 - bucket.tokens) / refill)
  }

  /// How long a caller must wait for a token, which stays where it is; nil when there is one.
  func wait(for caller: Caller, at now: MonotonicInstant) -> Interval? {
    guard let bucket = current[caller] ?? before[caller] else { return nil }
    let tokens = bucket.tokens + max(0, now.since(bucket.at).inSeconds) * refill
    return tokens >= 1 ? nil : .seconds((1 - tokens) / refill)
  }
}
