/// Why a recording, a line of one or a depth body could not be read or written.
///
/// Equal by ``code``. The reason is fixed English text: it never repeats bytes of the input, so that a face's numbers
/// and a stranger's text stay out of logs.
public struct RecordingError: Error, Hashable, Sendable {
  /// The kind of fault; new kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String {
      case malformed, truncated, invalidText, numberOutOfRange, unknownKey, duplicateKey, missingKey, wrongType
      case tooDeep, tooLarge, inconsistent, timestampBackwards, unsupportedVersion, wrongFormat, wrongFieldCount
      case frameRateUnknown
    }
    fileprivate let kind: Kind

    /// Not the syntax of the format (for JSON this includes the words NaN and Infinity).
    public static let malformed = Code(kind: .malformed)
    /// The input ends in the middle of something.
    public static let truncated = Code(kind: .truncated)
    /// Bytes that are not UTF-8, or an unpaired surrogate.
    public static let invalidText = Code(kind: .invalidText)
    /// A number outside the range that the format gives for its place.
    public static let numberOutOfRange = Code(kind: .numberOutOfRange)
    /// A key, column or coefficient name that the format does not have.
    public static let unknownKey = Code(kind: .unknownKey)
    /// A key, column or coefficient twice in one object.
    public static let duplicateKey = Code(kind: .duplicateKey)
    /// A required member is absent.
    public static let missingKey = Code(kind: .missingKey)
    /// A value of another type than the format gives for its place.
    public static let wrongType = Code(kind: .wrongType)
    /// Nested deeper than the limit.
    public static let tooDeep = Code(kind: .tooDeep)
    /// A line, a frame or the whole is larger than the limit.
    public static let tooLarge = Code(kind: .tooLarge)
    /// Members that contradict each other.
    public static let inconsistent = Code(kind: .inconsistent)
    /// An observation is older than the one before it.
    public static let timestampBackwards = Code(kind: .timestampBackwards)
    /// A version of the format that this reader does not know.
    public static let unsupportedVersion = Code(kind: .unsupportedVersion)
    /// Not the format that was asked for.
    public static let wrongFormat = Code(kind: .wrongFormat)
    /// A row with more or fewer fields than the header.
    public static let wrongFieldCount = Code(kind: .wrongFieldCount)
    /// The frame rate does not follow from the file and was not given.
    public static let frameRateUnknown = Code(kind: .frameRateUnknown)

    /// The code's stable name, for example `unknownKey`.
    public var description: String { kind.rawValue }
  }

  /// What ``line`` counts.
  public enum Unit: Hashable, Sendable { case line, frame, observation }

  public let code: Code
  /// Number of the line from 1; of the frame in a depth body; of the observation when writing.
  public let line: Int
  /// What ``line`` counts.
  public let unit: Unit
  /// Bytes from the start of the line (in a depth body: of the body) to the fault, from 0.
  public let byte: Int
  /// What was wrong, in English for developers.
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

  /// The same error, with a byte offset into `text` turned into a line and an offset within it.
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
