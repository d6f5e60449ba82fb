public import MienAPI
public import MienCore

/// Soft colors to show on the whole screen during a light task.
///
/// Let them fade within 150 ms, or 300 ms where the user prefers reduced motion. The server's colors have about the same
/// luminance, none is a saturated red, and they change twice a second: no flash as defined by WCAG 2.3.1.
public struct LightColors: Hashable, Sendable {
  /// A later color.
  public struct Change: Hashable, Sendable {
    /// `#rrggbb`.
    public var color: String
    /// Time from the arrival of the step until the color is due.
    public var after: Interval
  }

  /// Time after which a color is on the screen too late: the server looks for the response of the face for 650 ms,
  /// of which the camera and the transmission of the frame need half.
  public static let latest = Interval.milliseconds(300)

  /// Color to show now: `#rrggbb`.
  public var color: String
  /// Number of the color in the sequence; 0 also before the sequence begins.
  public var number: Int
  /// Time since the color was due; zero or less if it is not late, as before the sequence begins.
  public var overdue: Interval
  /// The colors that follow, as far as the server has sent them.
  public var next: [Change]
  /// `true` if ``LivenessSession/decline()`` replaces the task with another one.
  public var canDecline: Bool

  /// Reads the colors of a task; `nil` for other tasks.
  ///
  /// - Parameters:
  ///   - task: the task of a step.
  ///   - age: time since the capture of the frame that the step responds to.
  public init?(_ task: TaskResponse?, age: Interval) {
    guard let light = task?.prompt.light else { return nil }
    color = light.color
    number = task?.prompt.done ?? 0
    overdue = .zero
    next = []
    canDecline = light.canDecline
    guard let until = light.untilMilliseconds else { return }
    overdue = .seconds(age.inSeconds - Double(until - light.dwellMilliseconds) / 1000)
    for (place, later) in light.next.enumerated() {
      let due = Interval.milliseconds(Double(until + place * light.dwellMilliseconds)).inSeconds - age.inSeconds
      if due <= 0 {
        (color, overdue) = (later, .seconds(-due))
        number += 1
      } else {
        next.append(Change(color: later, after: .seconds(due)))
      }
    }
  }
}

/// Connection of a check in progress.
actor ConnectionHolder {
  private var line: CheckConnection?

  func hold(_ line: CheckConnection?) { self.line = line }

  func decline() async throws {
    _ = try await line?.decline()
  }
}
