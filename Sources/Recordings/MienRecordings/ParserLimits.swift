/// Limits and options of the recording readers.
public struct ParserLimits: Hashable, Sendable {
  /// Handling of an observation that is older than its predecessor.
  public enum Order: Hashable, Sendable {
    /// Rejects it with ``RecordingError/Code-swift.struct/timestampBackwards``.
    case refuse
    /// Returns it unchanged, leaving the decision to the consumer.
    case keep
  }

  public var order: Order
  /// Maximum line length in bytes.
  public var maximumLineBytes: Int
  /// Maximum number of observations in a recording.
  public var maximumObservations: Int
  /// `true` if observation lines must start with a header object.
  public var requiresHeader: Bool
  /// Frames per second, for formats without this information (Live Link Face timecodes, MediaPipe without timestamps).
  public var frameRate: Double?

  /// Creates limits; the defaults are for files: ordered, lines up to 16 KiB, a million observations, a header if the
  /// format has one.
  public init(
    order: Order = .refuse, maximumLineBytes: Int = 16_384, maximumObservations: Int = 1_000_000,
    requiresHeader: Bool = true, frameRate: Double? = nil
  ) {
    self.order = order
    self.maximumLineBytes = maximumLineBytes
    self.maximumObservations = maximumObservations
    self.requiresHeader = requiresHeader
    self.frameRate = frameRate
  }
}
