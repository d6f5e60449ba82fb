/// Why a task or a plan cannot be made as it was asked for. Equal by code and option.
public struct TaskError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable reason.
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

    /// The code as it crosses the network.
    public var text: String { kind.rawValue }

    /// A number outside the range that the option documents.
    public static let outOfRange = Code(kind: .outOfRange)
    /// A task of questions without a question.
    public static let emptyQuestions = Code(kind: .emptyQuestions)
    /// A question's id is empty, longer than 64 characters or has a character outside `A–Z a–z 0–9 - _`.
    public static let badQuestion = Code(kind: .badQuestion)
    /// Two questions with one id.
    public static let repeatedQuestion = Code(kind: .repeatedQuestion)
    /// A path with a direction that there is not, or the same one twice in a row.
    public static let badPath = Code(kind: .badPath)
    /// A plan without a task.
    public static let emptyPlan = Code(kind: .emptyPlan)
    /// A plan with more than ``TaskPlan/maximumTasks``.
    public static let tooManyTasks = Code(kind: .tooManyTasks)
    /// The limits leave no motion to ask for.
    public static let nothingAsked = Code(kind: .nothingAsked)
  }

  public let code: Code
  /// The option it is about, as the interface spells it, for example `maxNods`.
  public let option: String

  public init(_ code: Code, _ option: String) {
    self.code = code
    self.option = option
  }

  public var description: String { "\(option): \(code.text)" }
}
