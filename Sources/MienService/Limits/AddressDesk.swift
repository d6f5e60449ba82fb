internal import MienModel

/// How often an address may ask, and how often it may be wrong about an API key.
public actor AddressDesk {
  private let clock: any ServiceClock
  private var requests: TokenBuckets<String>?
  private var wrongKeys: TokenBuckets<String>?

  /// - Parameters:
  ///   - perSecond: how many requests an address may make in a second, over time; nil is any number.
  ///   - wrongKeysPerMinute: how many unknown keys it may show in a minute; nil is any number.
  public init(clock: any ServiceClock, perSecond: Int?, wrongKeysPerMinute: Int?) {
    self.clock = clock
    requests = perSecond.map { TokenBuckets(burst: max(1, $0 * 5), perHour: max(1, $0 * 3600)) }
    wrongKeys = wrongKeysPerMinute.map { TokenBuckets(burst: max(1, $0), perHour: max(1, $0 * 60)) }
  }

  /// Counts a request. Refuses an address that has asked too often.
  public func admit(_ address: String) throws {
    guard let wait = requests?.take(for: address, at: clock.now()) else { return }
    throw ServiceError(
      .tooManyRequests, "This address has asked too often just now. Try again after Retry-After.",
      retryAfter: wait.wholeSeconds)
  }

  /// Refuses an address that has guessed keys too often, whatever it shows now.
  public func admitKey(of address: String) throws {
    guard let wait = wrongKeys?.wait(for: address, at: clock.now()) else { return }
    throw ServiceError(
      .tooManyRequests, "This address has shown too many unknown keys. Try again after Retry-After.",
      retryAfter: wait.wholeSeconds)
  }

  /// Counts an unknown key.
  public func sawWrongKey(of address: String) {
    _ = wrongKeys?.take(for: address, at: clock.now())
  }
}

extension Interval {
  /// In whole seconds as `Retry-After` tells them: rounded up, at least one.
  var wholeSeconds: Int { max(1, Int(inSeconds.rounded(.up))) }
}
