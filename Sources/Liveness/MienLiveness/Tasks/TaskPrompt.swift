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
