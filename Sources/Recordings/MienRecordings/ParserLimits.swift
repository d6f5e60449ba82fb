/// Limits and choices of a reader of recordings.
public struct ParserLimits: Hashable, Sendable {
  /// What to do with an observation that is older than the one before it.
  public enum Order: Hashable, Sendable {
    /// Refuse it with ``RecordingError/Code-swift.struct/timestampBackwards``.
    case refuse
    /// Hand it on as it is; the judge decides.
    case keep
  }

  public var order: Order
  /// The longest line that is looked at, in bytes.
  public var maximumLineBytes: Int
  /// How many observations a recording may have.
  public var maximumObservations: Int
  /// Whether observation lines must start with a header object.
  public var requiresHeader: Bool
  /// Frames a second, for a format that does not say (Live Link Face timecodes, MediaPipe without timestamps).
  public var frameRate: Double?

  /// Rules for files: ordered, lines up to 16 KiB, a million observations, a header where the format has one.
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
