public import MienCore

/// Current prompt that a client draws or speaks for a task. Angles are in degrees from the rest pose.
public enum TaskPrompt: Hashable, Sendable {
  /// Face the camera and hold still while the rest pose is determined.
  case faceCamera
  /// Turn the head to this side.
  case turn(Side)
  /// Turn back to the camera.
  case comeBack
  case circle(Circle)
  /// Answer the question with this index and ID: tilt right for yes, left for no.
  case question(index: Int, count: Int, id: String)
  /// Hold the head upright; `index` is that of the next question.
  case upright(index: Int, count: Int)
  /// Make this motion now; `nil` means wait for the next one.
  case motion(Motion?, index: Int, count: Int)
  /// Blink; `done` is the number of completed blinks.
  case blink(done: Int, count: Int)
  case path(Path)
  case light(Light)

  /// Progress of the circle.
  public struct Circle: Hashable, Sendable {
    /// Number of sectors.
    public let sectors: Int
    /// Bit i: sector i was covered. Sector 0 starts at the subject's left, and the indices increase upward from there.
    public let covered: UInt32
    /// Requested direction; `nil` accepts either.
    public let direction: CircleTask.Direction?
    /// Direction of the head.
    public let pointer: PosePoint
    /// Radii of the ring in degrees of yaw from the rest pose; a degree of pitch counts as `pitchWeight` degrees of yaw.
    public let minimumRadius: Float
    public let maximumRadius: Float
    public let pitchWeight: Float
  }

  /// Color of the screen.
  public struct Light: Hashable, Sendable {
    /// Color as of the last sample.
    public let color: LightColor
    /// The next two colors, as far as there are any.
    public let next: [LightColor]
    /// Time from the last sample to the next color; each color after that follows after ``LightTask/dwell``. `nil` if the
    /// sequence has not begun or is over.
    public let until: Interval?
    /// Number of colors of the sequence that were shown, including this one, and number of all.
    public let index: Int
    public let count: Int
  }

  /// Positions of the target and the head.
  public struct Path: Hashable, Sendable {
    public let target: PosePoint
    public let pointer: PosePoint
    /// Index of the current waypoint, and the number of waypoints.
    public let index: Int
    public let count: Int
    /// Maximum distance in degrees of yaw and pitch at which a waypoint counts as reached.
    public let reach: PosePoint
  }
}

extension TaskPrompt.Circle: CustomStringConvertible, CustomReflectable {
  public var description: String { "Circle(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TaskPrompt.Path: CustomStringConvertible, CustomReflectable {
  public var description: String { "Path(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Direction of a head in degrees relative to its rest pose: positive yaw toward the subject's left, positive pitch up.
///
/// A client with a mirrored preview draws positive yaw toward the left of the screen.
public struct PosePoint: Hashable, Sendable {
  public var yaw: Float
  public var pitch: Float

  public init(yaw: Float, pitch: Float) {
    self.yaw = yaw
    self.pitch = pitch
  }
}

extension PosePoint: CustomStringConvertible, CustomReflectable {
  public var description: String { "PosePoint(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PosePoint: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&yaw)
    coder.pass(&pitch)
  }
}

extension TaskPrompt {
  /// `true` if a person has to react to the prompt with another movement than before: not while nothing is asked for, nor for the
  /// colors of the screen.
  var asksForMovement: Bool {
    switch self {
    case .turn, .circle, .question, .blink, .path: true
    case .motion(let motion, _, _): motion != nil
    case .faceCamera, .comeBack, .upright, .light: false
    }
  }

  /// Reports whether both prompts ask for the same movement, whatever the progress.
  func asksForTheSame(as other: TaskPrompt) -> Bool {
    switch (self, other) {
    case (.turn(let side), .turn(let last)): side == last
    case (.circle, .circle): true
    case (.question(let index, _, _), .question(let last, _, _)): index == last
    case (.motion(let motion, let index, _), .motion(let last, let lastIndex, _)): motion == last && index == lastIndex
    case (.blink(let done, _), .blink(let last, _)): done == last
    case (.path(let path), .path(let last)): path.index == last.index
    default: false
    }
  }
}

extension CheckStateMachine {
  /// Movement that the check asks for now; `nil` if none.
  public var request: TaskPrompt? {
    guard state == .tracking, let prompt, prompt.asksForMovement else { return nil }
    return prompt
  }

  /// Reports whether the check asks for another movement than it did in an earlier state.
  public func asksAnew(since earlier: TaskPrompt?) -> Bool {
    guard let request else { return false }
    return earlier.map { !request.asksForTheSame(as: $0) } ?? true
  }
}
