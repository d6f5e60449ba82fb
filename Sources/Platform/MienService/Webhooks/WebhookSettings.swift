public import MienCore

/// What can be set about webhooks; defaults are the documented ones.
public struct WebhookSettings: Hashable, Sendable {
  /// How long to wait after the first, second, … attempt that failed; after the last of them a message is given up.
  public var delays: [Interval] = [
    .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600),
    .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
  ]
  /// How much of a delay is chance, either way; 0…1.
  public var jitter = 0.2
  /// The longest wait that a target may ask for with `Retry-After`.
  public var longestWait: Interval = .seconds(24 * 3600)
  /// How long a message stays with whoever took it; longer than any attempt takes.
  public var lease: Interval = .seconds(30)
  /// How many webhooks there may be.
  public var maximumWebhooks = 16
  /// How many attempts may be under way at once; one a webhook, so that a target that hangs holds up only itself.
  public var maximumAtOnce = 16
  /// How long the secret before a rotation signs too.
  public var overlap: Interval = .seconds(24 * 3600)
  /// How long messages that are over stay to be read.
  public var history: Interval = .seconds(30 * 24 * 3600)
  /// How many messages are shown of a webhook.
  public var shown = 100

  public init() {}

  /// When to try again after `attempt` failed at `now`; nil gives up.
  ///
  /// - Parameters:
  ///   - attempt: 1 for the first.
  ///   - asked: how long the target asked to be left alone; it can make the wait longer, not shorter.
  public func retry(
    after attempt: Int, at now: UnixTime, asked: Interval?, using generator: inout some RandomNumberGenerator
  ) -> UnixTime? {
    guard delays.indices.contains(attempt - 1) else { return nil }
    let factor = Double.random(in: 1 - jitter...1 + jitter, using: &generator)
    let delay = Interval.seconds(delays[attempt - 1].inSeconds * factor)
    return now.adding(max(delay, min(asked ?? .zero, longestWait)))
  }
}
