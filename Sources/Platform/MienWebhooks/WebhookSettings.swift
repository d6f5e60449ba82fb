public import MienPlatform
public import MienCore

/// Settings for webhooks; the defaults are the documented ones.
public struct WebhookSettings: Hashable, Sendable {
  /// Delays after the first, second, … failed attempt; after the last of them a delivery is abandoned.
  public var delays: [Interval] = [
    .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600),
    .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
  ]
  /// Random variation of a delay in either direction, as a fraction; 0…1.
  public var jitter = 0.2
  /// Maximum delay that a target may request with `Retry-After`.
  public var longestWait: Interval = .seconds(24 * 3600)
  /// Time for which a delivery remains claimed; longer than any attempt takes.
  public var lease: Interval = .seconds(30)
  /// Maximum number of webhooks.
  public var maximumWebhooks = 16
  /// Maximum number of concurrent attempts; one per webhook, so that an unresponsive target delays only itself.
  public var maximumAtOnce = 16
  /// Time for which the previous secret also signs after a rotation.
  public var overlap: Interval = .seconds(24 * 3600)
  /// Retention period of completed deliveries.
  public var history: Interval = .seconds(30 * 24 * 3600)
  /// Maximum number of deliveries listed per webhook.
  public var shown = 100

  public init() {}

  /// Returns the time of the next attempt after `attempt` failed at `now`; `nil` to abandon the delivery.
  ///
  /// - Parameters:
  ///   - attempt: 1 for the first.
  ///   - asked: the delay requested by the target; it can lengthen the delay, but not shorten it.
  public func retry(
    after attempt: Int, at now: UnixTime, asked: Interval?, using generator: inout some RandomNumberGenerator
  ) -> UnixTime? {
    guard delays.indices.contains(attempt - 1) else { return nil }
    let factor = Double.random(in: 1 - jitter...1 + jitter, using: &generator)
    let delay = Interval.seconds(delays[attempt - 1].inSeconds * factor)
    return now.adding(max(delay, min(asked ?? .zero, longestWait)))
  }
}
