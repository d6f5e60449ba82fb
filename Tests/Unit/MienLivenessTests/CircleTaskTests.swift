import MienLiveness
import MienCore
import Testing
import RealModule

@Suite struct `Circle task` {
  static func task(_ direction: CircleTask.Direction?, _ difficulty: TaskDifficulty = .medium) throws -> LivenessTask {
    .completeTheCircle(try CircleTask(direction: direction, difficulty: difficulty))
  }

  static func circling(_ degrees: Float, in seconds: Double = 3, fps: Double = 20) -> TaskActing {
    var acting = TaskActing(fps: fps)
    acting.settle()
    acting.move(yaw: 18, in: 0.4)
    acting.circle(degrees, in: seconds)
    return acting
  }

  @Test(arguments: [5.0, 10, 30]) func `a circle passes in either direction unless one is requested`(_ fps: Double)
    throws
  {
    // From the subject's left over the top: clockwise in a mirror.
    let clockwise = Self.circling(380, fps: fps)
    let counterclockwise = Self.circling(-380, fps: fps)
    #expect(clockwise.state(of: try Self.task(nil)) == .success)
    #expect(counterclockwise.state(of: try Self.task(nil)) == .success)
    #expect(clockwise.state(of: try Self.task(.clockwise)) == .success)
    #expect(counterclockwise.state(of: try Self.task(.counterclockwise)) == .success)
    #expect(clockwise.state(of: try Self.task(.counterclockwise)) == .failed(.wrongDirection))
    #expect(counterclockwise.state(of: try Self.task(.clockwise)) == .failed(.wrongDirection))
  }

  @Test func `three quarters of a circle do not pass`() throws {
    let acting = Self.circling(270)
    let machine = acting.machine(of: try Self.task(nil))
    guard case .circle(let circle) = machine.prompt else {
      Issue.record("expected the prompt of a circle")
      return
    }
    #expect(circle.sectors == 12)
    #expect(circle.covered == 0b0001_1111_1111 | 0b0010_0000_0000 || circle.covered == 0b0001_1111_1111)
    #expect(acting.stateAtEnd(of: try Self.task(nil)) == .timedOut(.notFinished))
  }

  @Test func `a circle that is too small or too large does not pass`() throws {
    for radius in [SIMD2<Float>(5, 3), SIMD2(60, 40)] {
      var acting = TaskActing()
      acting.settle()
      acting.move(yaw: radius.x, in: 1)
      acting.circle(radius: radius, in: 6)
      #expect(acting.state(of: try Self.task(nil)) == .tracking)
      #expect(acting.machine(of: try Self.task(nil)).progress < 0.3)
    }
  }

  @Test func `moving back and forth is unsteady and a tremor is not`() throws {
    var acting = Self.circling(200, in: 2)
    acting.circle(-100, from: 200, in: 1)
    acting.circle(280, from: 100, in: 2)
    #expect(acting.state(of: try Self.task(nil)) == .failed(.unsteady))
    acting = Self.circling(200, in: 2)
    acting.circle(-40, from: 200, in: 0.5)
    acting.circle(220, from: 160, in: 2)
    #expect(acting.state(of: try Self.task(nil)) == .success)
    guard case .genuine(let measure)? = acting.machine(of: try Self.task(nil)).finding?.result else {
      Issue.record("a completed circle must be genuine")
      return
    }
    #expect(measure.native == 1)
    #expect(measure.score.value < 1)
  }

  @Test func `jumps between positions are unsteady`() throws {
    var acting = TaskActing(fps: 5)
    acting.settle()
    for number in 0..<12 {
      let angle = Float(number) * 150 * .pi / 180
      acting.face.yaw = 18 * Float.cos(angle)
      acting.face.pitch = 12 * Float.cos(angle - .pi / 2)
      acting.hold(for: 0.2)
    }
    #expect(acting.state(of: try Self.task(nil)) == .failed(.unsteady))
  }

  @Test func `a circle faster than a head can move does not pass immediately`() throws {
    let acting = Self.circling(372, in: 0.4, fps: 60)
    #expect(acting.state(of: try Self.task(nil)) == .tracking)
  }
}
