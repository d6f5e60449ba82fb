/// Error for an invalid sequence of expressions. Two errors are equal if code and step are equal. It contains no part of the input.
public struct SequenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stable error code.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String {
      case unknownName = "unknown-name"
      case repeated
      case tooShort = "too-short"
      case tooLong = "too-long"
    }
    fileprivate let kind: Kind

    /// Wire format of the code.
    public var text: String { kind.rawValue }

    /// A name is unknown; capital letters, spaces, and empty elements count as unknown.
    public static let unknownName = Code(kind: .unknownName)
    /// The same expression occurs twice in a row.
    public static let repeated = Code(kind: .repeated)
    /// The sequence has fewer than 3 steps.
    public static let tooShort = Code(kind: .tooShort)
    /// The sequence has more than 12 steps.
    public static let tooLong = Code(kind: .tooLong)
  }

  public let code: Code
  /// One-based step that the error refers to; for length errors, the minimum number of steps found.
  public let step: Int

  init(_ code: Code, step: Int) {
    self.code = code
    self.step = step
  }

  public var description: String { "step \(step): \(code.text)" }
}
