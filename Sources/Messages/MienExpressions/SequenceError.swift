/// Why something is no sequence of expressions. Equal by code and step; it repeats nothing of what was given.
public struct SequenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable reason.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String {
      case unknownName = "unknown-name"
      case repeated
      case tooShort = "too-short"
      case tooLong = "too-long"
    }
    fileprivate let kind: Kind

    /// The code as it crosses the network.
    public var text: String { kind.rawValue }

    /// A name that there is not; capitals, spaces and empty places are such names.
    public static let unknownName = Code(kind: .unknownName)
    /// The same expression twice in a row.
    public static let repeated = Code(kind: .repeated)
    /// Fewer than 3 steps.
    public static let tooShort = Code(kind: .tooShort)
    /// More than 12 steps.
    public static let tooLong = Code(kind: .tooLong)
  }

  public let code: Code
  /// The step it is about, from 1; for lengths, how many there are at least.
  public let step: Int

  init(_ code: Code, step: Int) {
    self.code = code
    self.step = step
  }

  public var description: String { "step \(step): \(code.text)" }
}
