package import MienCore

/// Limits requests per caller with token buckets, which refill over time.
///
/// Stores at most twice `capacity` callers, among them always the `capacity` most recently active ones. A caller that
/// was dropped starts again with a full bucket.
package struct TokenBucketRateLimiter<Caller: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var tokens: Double
    var at: MonotonicInstant
  }

  /// Maximum number of consecutive requests of a caller.
  let burst: Double
  /// Number of tokens added per second.
  let refill: Double
  private let capacity: Int
  private var current: [Caller: Bucket] = [:]
  private var before: [Caller: Bucket] = [:]

  /// - Parameters:
  ///   - burst: capacity of a bucket; at least 1.
  ///   - perHour: number of tokens added per hour; more than 0.
  package init(burst: Int, perHour: Int, capacity: Int = 10_000) {
    precondition(burst >= 1 && perHour > 0 && capacity > 0)
    self.burst = Double(burst)
    refill = Double(perHour) / 3600
    self.capacity = capacity
  }

  /// Takes a token from the caller's bucket.
  ///
  /// - Returns: `nil` if there was one; otherwise the time until there is one.
  package mutating func take(for caller: Caller, at now: MonotonicInstant) -> Interval? {
    var bucket = current[caller] ?? before[caller] ?? Bucket(tokens: burst, at: now)
    // A clock that was set back removes no tokens.
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

  /// Returns the time until a caller has a token, without taking it; `nil` if there is one.
  func wait(for caller: Caller, at now: MonotonicInstant) -> Interval? {
    guard let bucket = current[caller] ?? before[caller] else { return nil }
    let tokens = bucket.tokens + max(0, now.since(bucket.at).inSeconds) * refill
    return tokens >= 1 ? nil : .seconds((1 - tokens) / refill)
  }
}
