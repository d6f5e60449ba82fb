import MienLiveness
import MienCore
import Testing

@Suite struct `Head path task` {
  static let path = [0, 4, 2, 6, 1, 5, 3, 7]

  static func task(_ path: [Int] = path, _ difficulty: TaskDifficulty = .medium) throws -> LivenessTask {
    .headPath(try HeadPathTask(waypoints: path, difficulty: difficulty))
  }

  /// Returns a state machine after samples with the pose returned by `pointing` for the current target.
  static func follow(
    _ task: LivenessTask, fps: Double = 20, _ pointing: (TaskPrompt.Path, Double) -> PosePoint
  ) -> TaskStateMachine {
    var machine = TaskStateMachine(task)
    machine.beginTracking(at: .zero)
    var acting = TaskActing(fps: fps)
    acting.settle()
    for sample in acting.samples { _ = machine.process(sample) }
    while !machine.isOver, acting.time < 120, case .path(let path) = machine.prompt {
      let point = pointing(path, acting.time)
      acting.face.yaw = point.yaw
      acting.face.pitch = point.pitch
      acting.add(.face(acting.face))
      _ = machine.process(acting.samples[acting.samples.count - 1])
    }
    return machine
  }

  @Test(arguments: TaskDifficulty.allCases, [8.0, 15, 30])
  func `a head following the target passes`(_ difficulty: TaskDifficulty, _ fps: Double) throws {
    let machine = Self.follow(try Self.task(Self.path, difficulty), fps: fps) { path, _ in path.target }
    #expect(machine.state == .success)
    #expect(machine.evidence.events.map(\.what) == [.settled] + (0..<8).map { .waypoint($0) })
    guard case .genuine(let measure)? = machine.finding?.result else {
      Issue.record("a path that was followed must be genuine")
      return
    }
    #expect(measure.native < 0.2)
    #expect(measure.score.value > 0.75)
  }

  @Test func `the target moves from the center to the first waypoint`() throws {
    var seen: [PosePoint] = []
    _ = Self.follow(try Self.task()) { path, _ in
      if path.index == 0 { seen.append(path.target) }
      return path.target
    }
    #expect(try #require(seen.first).yaw < 9)
    #expect(seen.allSatisfy { abs($0.pitch) < 0.01 })
    #expect(abs(try #require(seen.last).yaw - 18) < 0.01)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.yaw <= $1.yaw })
  }

  @Test func `another path fails as off the path`() throws {
    // Follows the target of another session at the same speed.
    var targets: [PosePoint] = []
    let other = try Self.task([3, 6, 0, 4, 7, 2, 5, 1])
    _ = Self.follow(other) { path, _ in
      targets.append(path.target)
      return path.target
    }
    var count = 0
    let machine = Self.follow(try Self.task()) { _, _ in
      count += 1
      return targets[min(count, targets.count) - 1]
    }
    #expect(machine.state == .failed(.offPath))
  }

  @Test func `the right waypoints with detours are off the path`() throws {
    let machine = Self.follow(try Self.task()) { path, time in
      // Alternates every second between the target and a point far above it.
      Int(time) % 2 == 0 ? path.target : PosePoint(yaw: path.target.yaw, pitch: path.target.pitch + 14)
    }
    #expect(machine.state == .failed(.offPath))
  }

  @Test func `movement before the target moves is too early`() throws {
    let points: [PosePoint] = [PosePoint(yaw: 18, pitch: 0), PosePoint(yaw: -18, pitch: 0)]
    let machine = Self.follow(try Self.task(), fps: 30) { path, _ in points[min(path.index, 1)] }
    #expect(machine.state == .failed(.tooEarly))
  }

  @Test func `a head that lags behind is too slow`() throws {
    let machine = Self.follow(try Self.task()) { path, _ in path.index < 3 ? path.target : PosePoint(yaw: 0, pitch: 11)
    }
    #expect(machine.state == .failed(.tooSlow))
    #expect(machine.evidence.events.last?.what == .waypoint(2))
  }

  @Test func `a timeout shorter than the path ends the task`() throws {
    let task = LivenessTask.headPath(try HeadPathTask(waypoints: Self.path, timeout: .seconds(4)))
    #expect(Self.follow(task) { path, _ in path.target }.state == .timedOut(.notFinished))
  }
}
