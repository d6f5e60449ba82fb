public import MienCore
public import MienPlatform

/// Clock, delay, and randomness that an S3 client requires.
public struct S3ClientEnvironment: Sendable {
  let clock: any ServiceClock
  let pause: @Sendable (Interval) async throws -> Void
  let noise: @Sendable (Int) -> [UInt8]

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - clock: Clock for signatures; the store rejects requests that are more than 15 minutes off.
  ///   - pause: Waits for the given time; throws on cancellation.
  ///   - noise: Returns the requested number of unguessable bytes.
  public init(
    clock: any ServiceClock, pause: @escaping @Sendable (Interval) async throws -> Void,
    noise: @escaping @Sendable (Int) -> [UInt8]
  ) {
    self.clock = clock
    self.pause = pause
    self.noise = noise
  }
}
