internal import MienCore
internal import Synchronization

/// How often an address may ask, and how often it may be wrong about an API key.
public final class IPRateLimiter: Sendable {
  private let clock: any ServiceClock
  private let requests: Mutex<TokenBucketRateLimiter<String>?>
  private let wrongKeys: Mutex<TokenBucketRateLimiter<String>?>

  /// - Parameters:
  ///   - perSecond: how many requests an address may make in a second, over time; nil is any number.
  ///   - wrongKeysPerMinute: how many unknown keys it may show in a minute; nil is any number.
  public init(clock: any ServiceClock, perSecond: Int?, wrongKeysPerMinute: Int?) {
    self.clock = clock
    requests = Mutex(perSecond.map { TokenBucketRateLimiter(burst: max(1, $0 * 5), perHour: max(1, $0 * 3600)) })
    wrongKeys = Mutex(wrongKeysPerMinute.map { TokenBucketRateLimiter(burst: max(1, $0), perHour: max(1, $0 * 60)) })
  }

  /// Counts a request. Refuses an address that has asked too often.
  public func admit(_ address: String) throws {
    let now = clock.now()
    guard let wait = requests.withLock({ $0?.take(for: address, at: now) }) else { return }
    throw ServiceError(
      .tooManyRequests, "This address has asked too often just now. Try again after Retry-After.",
      retryAfter: wait.wholeSeconds)
  }

  /// Counts an unknown key. Good keys of the same address are not refused, however many wrong ones it shows.
  ///
  /// - Throws: ``ServiceError`` with `tooManyRequests` when the address has shown too many.
  public func countWrongKey(of address: String) throws {
    let now = clock.now()
    guard let wait = wrongKeys.withLock({ $0?.take(for: address, at: now) }) else { return }
    throw ServiceError(
      .tooManyRequests, "This address has shown too many unknown keys. Try again after Retry-After.",
      retryAfter: wait.wholeSeconds)
  }
}

extension Interval {
  /// In whole seconds as `Retry-After` tells them: rounded up, at least one.
  var wholeSeconds: Int { max(1, Int(inSeconds.rounded(.up))) }
}
