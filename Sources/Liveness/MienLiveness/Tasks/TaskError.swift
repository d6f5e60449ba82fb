/// Error for a task or plan that cannot be created as requested. Two errors are equal if code and option are equal.
public struct TaskError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stable error code.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String {
      case outOfRange = "out-of-range"
      case emptyQuestions = "empty-questions"
      case badQuestion = "bad-question"
      case repeatedQuestion = "repeated-question"
      case badPath = "bad-path"
      case emptyPlan = "empty-plan"
      case tooManyTasks = "too-many-tasks"
      case nothingAsked = "nothing-asked"
    }
    fileprivate let kind: Kind

    /// Wire format of the code.
    public var text: String { kind.rawValue }

    /// A number is outside the documented range of the option.
    public static let outOfRange = Code(kind: .outOfRange)
    /// A question task has no questions.
    public static let emptyQuestions = Code(kind: .emptyQuestions)
    /// A question ID is empty, longer than 64 characters, or contains a character outside `A–Z a–z 0–9 - _`.
    public static let badQuestion = Code(kind: .badQuestion)
    /// Two questions have the same ID.
    public static let repeatedQuestion = Code(kind: .repeatedQuestion)
    /// A path contains an invalid direction, or the same one twice in a row.
    public static let badPath = Code(kind: .badPath)
    /// A plan has no tasks.
    public static let emptyPlan = Code(kind: .emptyPlan)
    /// A plan has more than ``TaskPlan/maximumTasks`` tasks.
    public static let tooManyTasks = Code(kind: .tooManyTasks)
    /// The limits allow no motion.
    public static let nothingAsked = Code(kind: .nothingAsked)
  }

  public let code: Code
  /// Affected option as spelled in the API, for example `maxNods`.
  public let option: String

  public init(_ code: Code, _ option: String) {
    self.code = code
    self.option = option
  }

  public var description: String { "\(option): \(code.text)" }
}
