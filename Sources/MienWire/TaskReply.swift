/// The present task within a ``StepReply``, for a client to draw and to say.
public struct TaskReply: Codable, Hashable, Sendable {
  /// What the task asks at this moment; keys that a task does not have are left out.
  public struct Prompt: Codable, Hashable, Sendable {
    /// Of a circle: `any`, `subject-left-first` or `subject-right-first`, each from the top.
    public var direction: String?
    /// Of a circle: which sectors were gone through, from the top to the subject's left and round.
    public var sectors: [Bool]?
    /// Where the head points: `[across, up]`, −1…1 around the rest pose; across + is the subject's left.
    public var head: [Float]?
    /// Where it shall point.
    public var target: [Float]?
    /// The question that is asked now, in the integrator's words.
    public var question: String?
    /// The integrator's words on a wrong answer.
    public var error: String?
    /// All motions that are asked, in their order, to be shown at once; `done` of them are made.
    public var sequence: [String]?
    /// The motion that is asked now: `nod`, `blink` or `open-mouth`.
    public var next: String?
    /// How many of `count` are done.
    public var done: Int?
    /// Which of `count` questions it is, from 0.
    public var index: Int?
    public var count: Int?

    public init() {}
  }

  public var kind: String
  /// Which task of how many, from 0.
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
