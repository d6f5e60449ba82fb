public import MienCore
public import MienService

/// What a client of S3 takes from the world around it.
public struct S3ClientEnvironment: Sendable {
  let clock: any ServiceClock
  let pause: @Sendable (Interval) async throws -> Void
  let noise: @Sendable (Int) -> [UInt8]

  /// - Parameters:
  ///   - clock: dates signatures; more than 15 minutes off and every request is refused.
  ///   - pause: returns when so much time has gone by; throws when nobody wants to wait any longer.
  ///   - noise: as many unguessable bytes as it is asked for.
  public init(
    clock: any ServiceClock, pause: @escaping @Sendable (Interval) async throws -> Void,
    noise: @escaping @Sendable (Int) -> [UInt8]
  ) {
    self.clock = clock
    self.pause = pause
    self.noise = noise
  }
}
