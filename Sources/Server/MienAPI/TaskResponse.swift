/// Current task in a ``StepResponse``, for a client to display and announce.
public struct TaskResponse: Codable, Hashable, Sendable {
  /// Current prompt of the task; keys that do not apply to the task are omitted.
  public struct Prompt: Codable, Hashable, Sendable {
    /// Direction of the circle: `any`, `subject-left-first` or `subject-right-first`, each from the top.
    public var direction: String?
    /// Completed sectors of the circle, from the top toward the subject's left and around.
    public var sectors: [Bool]?
    /// Head direction: `[across, up]`, −1…1 around the rest pose; across + is the subject's left.
    public var head: [Float]?
    /// Target head direction, in the same coordinates.
    public var target: [Float]?
    /// Current question, as worded by the integrator.
    public var question: String?
    /// Error message of the integrator after a wrong answer.
    public var error: String?
    /// All motions that are asked, in their order, to be shown at once; `done` of them are made.
    public var sequence: [String]?
    /// The motion that is asked now: `nod`, `blink` or `open-mouth`.
    public var next: String?
    /// Number of completed items out of `count`.
    public var done: Int?
    /// Index of the question out of `count`, starting at 0.
    public var index: Int?
    public var count: Int?

    public init() {}
  }

  public var kind: String
  /// Index of the task out of `count`, starting at 0.
  public var index: Int
  public var count: Int
  public var prompt: Prompt

  public init(kind: String, index: Int, count: Int, prompt: Prompt) {
    self.kind = kind
    self.index = index
    self.count = count
    self.prompt = prompt
  }
}
