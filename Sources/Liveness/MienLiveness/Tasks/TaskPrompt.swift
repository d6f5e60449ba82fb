public import MienCore

/// What a client draws or says for the task at this moment. Angles are degrees away from the rest pose.
public enum TaskPrompt: Hashable, Sendable {
  /// Face the camera and hold still: the rest pose is being found.
  case faceCamera
  /// Turn the head to this side.
  case turn(Side)
  /// Turn back to the camera.
  case comeBack
  case circle(Circle)
  /// The question with this index and id is asked; tilt to the right for yes, to the left for no.
  case question(index: Int, count: Int, id: String)
  /// Hold the head upright; `index` is the next question's.
  case upright(index: Int, count: Int)
  /// Make this motion now; nil: wait for the next one.
  case motion(Motion?, index: Int, count: Int)
  /// Blink; so many are done.
  case blink(done: Int, count: Int)
  case path(Path)

  /// How far the circle has come.
  public struct Circle: Hashable, Sendable {
    /// Into how many sectors it is divided.
    public let sectors: Int
    /// Bit i: sector i was gone through. Sector 0 begins at the subject's left, and they go up from there.
    public let covered: UInt32
    /// nil: either way will do.
    public let direction: CircleTask.Direction?
    /// Where the head points.
    public let pointer: PosePoint
    /// Between which degrees of yaw from the rest pose the circle is; a pitch counts for `pitchWeight` as much.
    public let minimumRadius: Float
    public let maximumRadius: Float
    public let pitchWeight: Float
  }

  /// Where the target is, and the head.
  public struct Path: Hashable, Sendable {
    public let target: PosePoint
    public let pointer: PosePoint
    /// The waypoint the target goes to, and how many there are.
    public let index: Int
    public let count: Int
    /// How near the head must come: degrees of yaw and of pitch.
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
