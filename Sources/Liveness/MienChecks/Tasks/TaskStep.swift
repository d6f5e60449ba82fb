internal import MienLiveness
public import MienCore

/// The current task of a check, for the client to display and announce. Contains codes and numbers; only questions are
/// text, worded by the integrator.
///
/// Points are `[across, up]` in −1…1 around the rest pose: across + is the subject's left.
public struct TaskStep: Hashable, Sendable {
  /// Name of the task's kind.
  public var kind: String
  /// Index of the task, from 0, and total number of tasks.
  public var index: Int
  public var count: Int
  public var prompt = Prompt()

  /// The current instruction of the task; values that do not apply are `nil`.
  public struct Prompt: Hashable, Sendable {
    /// Direction of a circle: `any`, `subject-left-first` or `subject-right-first`, each from the top.
    public var direction: String?
    /// Completed sectors of a circle, from the top toward the subject's left and around.
    public var sectors: [Bool]?
    /// Direction of the head.
    public var head: SIMD2<Float>?
    /// Target direction of the head.
    public var target: SIMD2<Float>?
    /// The current question.
    public var question: String?
    /// The integrator's message for a wrong answer.
    public var error: String?
    /// All requested motions in order, to be shown at once; the first `done` are completed.
    public var sequence: [String]?
    /// The motion requested now: `nod`, `blink` or `open-mouth`.
    public var next: String?
    /// Number of completed motions or answers out of `count`.
    public var done: Int?
    /// Index of the current question out of `count`, from 0.
    public var index: Int?
    public var count: Int?
    /// Color that the screen shows, and the next ones.
    public var light: Light?
  }

  /// The colors of a light task: `#rrggbb` each.
  public struct Light: Hashable, Sendable {
    /// Color at the time of the frame that the step responds to.
    public var color: String
    /// The next two colors.
    public var next: [String]
    /// Time from that frame to the next color; `nil` before the sequence begins and after its last change.
    public var until: Interval?
    /// Time for which each color is shown.
    public var dwell: Interval
    /// `true` if the person can decline the task.
    public var canDecline: Bool
  }
}

extension TaskStep: CustomStringConvertible, CustomReflectable {
  public var description: String { "TaskStep(\(kind), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TaskStep {
  /// The current task of `machine`; `nil` until the instruction is given.
  init?(_ machine: CheckStateMachine, requested: [TaskOptions]) {
    guard let task = machine.task else { return nil }
    let position = machine.position
    self.init(kind: task.kind.rawValue, index: position.index, count: position.count)
    let options = requested.indices.contains(position.index) ? requested[position.index] : nil
    switch machine.current.prompt {
    case .faceCamera, .turn, .comeBack: break
    case .circle(let circle):
      prompt.direction =
        switch circle.direction {
        case nil: "any"
        case .clockwise: "subject-right-first"
        case .counterclockwise: "subject-left-first"
        }
      prompt.sectors = Self.fromTheTop(circle)
      prompt.head = Self.point(
        circle.pointer.yaw / circle.maximumRadius, circle.pointer.pitch * circle.pitchWeight / circle.maximumRadius)
    case .question(let index, let count, let id):
      (prompt.index, prompt.count) = (index, count)
      prompt.question = options?.question(id)?.text
    case .upright(let index, let count): (prompt.index, prompt.count) = (index, count)
    case .motion(let motion, let index, let count):
      (prompt.next, prompt.done, prompt.count) = (motion?.rawValue, index, count)
      prompt.sequence = machine.current.sequence?.map(\.rawValue)
    case .blink(let done, let count): (prompt.done, prompt.count) = (done, count)
    case .path(let path):
      guard case .headPath(let task) = task else { break }
      let radius = SIMD2(task.settings.yawRadius, task.settings.pitchRadius)
      prompt.head = Self.point(path.pointer.yaw / radius.x, path.pointer.pitch / radius.y)
      prompt.target = Self.point(path.target.yaw / radius.x, path.target.pitch / radius.y)
      (prompt.done, prompt.count) = (path.index, path.count)
    case .light(let light):
      (prompt.done, prompt.count) = (light.index, light.count)
      prompt.light = Light(
        color: light.color.code, next: light.next.map(\.code), until: light.until, dwell: LightTask.dwell,
        canDecline: machine.canDecline)
    }
    if machine.state.reason == TaskFailure.wrongAnswer.rawValue, case .yesOrNo(let task) = task {
      let failed = min(Int((machine.progress * Float(task.questions.count)).rounded()), task.questions.count - 1)
      prompt.error = options?.question(task.questions[failed].id)?.errorMessage
    }
  }

  /// Reorders sectors, which the engine counts from the subject's left upward, to start at the top.
  private static func fromTheTop(_ circle: TaskPrompt.Circle) -> [Bool] {
    let (count, quarter) = (circle.sectors, circle.sectors / 4)
    return (0..<count).map { place in circle.covered >> UInt32((quarter + count - 1 - place) % count) & 1 == 1 }
  }

  private static func point(_ across: Float, _ up: Float) -> SIMD2<Float>? {
    guard across.isFinite, up.isFinite else { return nil }
    return SIMD2(min(max(across, -1), 1), min(max(up, -1), 1))
  }
}
