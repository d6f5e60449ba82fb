public import MienPlatform
internal import MienCore
internal import Synchronization

/// Limits requests, and unknown API keys, per IP address.
public final class IPRateLimiter: Sendable {
  private let clock: any ServiceClock
  private let requests: Mutex<TokenBucketRateLimiter<String>?>
  private let wrongKeys: Mutex<TokenBucketRateLimiter<String>?>

  /// - Parameters:
  ///   - perSecond: maximum number of requests per second and address, on average; `nil` for no limit.
  ///   - wrongKeysPerMinute: maximum number of unknown keys per minute and address; `nil` for no limit.
  public init(clock: any ServiceClock, perSecond: Int?, wrongKeysPerMinute: Int?) {
    self.clock = clock
    requests = Mutex(perSecond.map { TokenBucketRateLimiter(burst: max(1, $0 * 5), perHour: max(1, $0 * 3600)) })
    wrongKeys = Mutex(wrongKeysPerMinute.map { TokenBucketRateLimiter(burst: max(1, $0), perHour: max(1, $0 * 60)) })
  }

  /// Counts a request. Throws if the address has exceeded its limit.
  public func admit(_ address: String) throws {
    let now = clock.now()
    guard let wait = requests.withLock({ $0?.take(for: address, at: now) }) else { return }
    throw ServiceError(
      .tooManyRequests, "There were too many requests from this address. Try again after Retry-After.",
      retryAfter: wait.wholeSeconds)
  }

  /// Counts an unknown key. Valid keys from the same address are accepted, however many unknown ones it sends.
  ///
  /// - Throws: ``ServiceError`` with `tooManyRequests` if the address has exceeded its limit.
  public func countWrongKey(of address: String) throws {
    let now = clock.now()
    guard let wait = wrongKeys.withLock({ $0?.take(for: address, at: now) }) else { return }
    throw ServiceError(
      .tooManyRequests, "There were too many unknown API keys from this address. Try again after Retry-After.",
      retryAfter: wait.wholeSeconds)
  }
}

extension Interval {
  /// Whole seconds for `Retry-After`: rounded up, at least one.
  var wholeSeconds: Int { max(1, Int(inSeconds.rounded(.up))) }
}
