/// The reason why a recording, one of its lines or a depth body could not be read or written.
///
/// Compared by ``code``. The reason is fixed English text: it never contains bytes of the input, so that face
/// measurements and untrusted text do not reach logs.
public struct RecordingError: Error, Hashable, Sendable {
  /// The kind of error; new kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String {
      case malformed, truncated, invalidText, numberOutOfRange, unknownKey, duplicateKey, missingKey, wrongType
      case tooDeep, tooLarge, inconsistent, timestampBackwards, unsupportedVersion, wrongFormat, wrongFieldCount
      case frameRateUnknown
    }
    fileprivate let kind: Kind

    /// Not the syntax of the format (for JSON this includes the words NaN and Infinity).
    public static let malformed = Code(kind: .malformed)
    /// The input ends prematurely.
    public static let truncated = Code(kind: .truncated)
    /// Bytes that are not UTF-8, or an unpaired surrogate.
    public static let invalidText = Code(kind: .invalidText)
    /// A number outside the range that the format specifies.
    public static let numberOutOfRange = Code(kind: .numberOutOfRange)
    /// A key, column or coefficient name that the format does not have.
    public static let unknownKey = Code(kind: .unknownKey)
    /// A duplicate key, column or coefficient in one object.
    public static let duplicateKey = Code(kind: .duplicateKey)
    /// A required member is missing.
    public static let missingKey = Code(kind: .missingKey)
    /// A value of a type other than the format specifies.
    public static let wrongType = Code(kind: .wrongType)
    /// Nested deeper than the limit.
    public static let tooDeep = Code(kind: .tooDeep)
    /// A line, a frame or the whole input is larger than the limit.
    public static let tooLarge = Code(kind: .tooLarge)
    /// Members that contradict each other.
    public static let inconsistent = Code(kind: .inconsistent)
    /// An observation is older than its predecessor.
    public static let timestampBackwards = Code(kind: .timestampBackwards)
    /// An unsupported version of the format.
    public static let unsupportedVersion = Code(kind: .unsupportedVersion)
    /// Not the expected format.
    public static let wrongFormat = Code(kind: .wrongFormat)
    /// A row with more or fewer fields than the header.
    public static let wrongFieldCount = Code(kind: .wrongFieldCount)
    /// The frame rate cannot be inferred from the file and was not given.
    public static let frameRateUnknown = Code(kind: .frameRateUnknown)

    /// The code's stable name, for example `unknownKey`.
    public var description: String { kind.rawValue }
  }

  /// The unit of ``line``.
  public enum Unit: Hashable, Sendable { case line, frame, observation }

  public let code: Code
  /// Number of the line, from 1; of the frame in a depth body; of the observation when writing.
  public let line: Int
  /// The unit of ``line``.
  public let unit: Unit
  /// Byte offset of the error from the start of the line (in a depth body: of the body), from 0.
  public let byte: Int
  /// Description of the error, in English for developers.
  public let reason: String

  init(_ code: Code, line: Int, unit: Unit = .line, byte: Int, _ reason: String) {
    self.code = code
    self.line = line
    self.unit = unit
    self.byte = byte
    self.reason = reason
  }

  public static func == (left: RecordingError, right: RecordingError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Returns the same error with a byte offset into `text` converted to a line and an offset within it.
  func located(in text: Span<UInt8>) -> RecordingError {
    var line = 1
    var start = 0
    for index in 0..<min(byte, text.count) where text[index] == UInt8(ascii: "\n") {
      line += 1
      start = index + 1
    }
    return RecordingError(code, line: line, byte: byte - start, reason)
  }
}

extension RecordingError: CustomStringConvertible {
  public var description: String {
    switch unit {
    case .line: "line \(line), byte \(byte): \(reason) (\(code))"
    case .frame: "frame \(line), byte \(byte): \(reason) (\(code))"
    case .observation: "observation \(line): \(reason) (\(code))"
    }
  }
}

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
