import MienLiveness
import MienCore
import Testing

@Suite struct `Blink task` {
  static func task(_ blinks: Int, _ difficulty: TaskDifficulty = .medium) throws -> LivenessTask {
    .blink(try BlinkTask(blinks: blinks, difficulty: difficulty))
  }

  /// Returns the number of blinks detected after the rest pose.
  static func count(fps: Double = 20, _ act: (inout TaskActing) -> Void) throws -> Double? {
    var acting = TaskActing(fps: fps)
    acting.settle()
    act(&acting)
    return acting.machine(of: try task(20)).evidence.native
  }

  @Test(arguments: [8.0, 15, 30, 60]) func `blinks are counted and the last one passes`(_ fps: Double) throws {
    var acting = TaskActing(fps: fps)
    acting.settle()
    for _ in 0..<3 { acting.blink() }
    #expect(acting.state(of: try Self.task(4)) == .tracking)
    #expect(acting.machine(of: try Self.task(4)).prompt == .blink(done: 3, count: 4))
    #expect(acting.stateAtEnd(of: try Self.task(4)) == .timedOut(.notFinished))
    acting.blink()
    #expect(acting.state(of: try Self.task(4)) == .success)
  }

  @Test func `a wink of either eye does not count as a blink`() throws {
    #expect(try Self.count { $0.blink(left: 0) } == 0)
    #expect(try Self.count { $0.blink(right: 0.05) } == 0)
    #expect(try Self.count { $0.blink(left: 0.6, right: 0.35) } == 1)
  }

  @Test func `a long closure is not a blink and a blink after it is`() throws {
    #expect(try Self.count { $0.blink(for: 0.7) } == 1)
    #expect(try Self.count { $0.blink(for: 1.2) } == 0)
    #expect(
      try Self.count {
        $0.blink(for: 1.2)
        $0.blink()
      } == 1)
  }

  @Test func `a jittering closure counts once`() throws {
    #expect(
      try Self.count(fps: 60) { acting in
        for level in [0.5, 0.6, 0.45, 0.6, 0.5, 0.62] as [Float] {
          acting.face.eyeBlinkLeft = level
          acting.face.eyeBlinkRight = level
          acting.run(for: 0.05)
        }
        acting.face.eyeBlinkLeft = 0.1
        acting.face.eyeBlinkRight = 0.1
        acting.run(for: 0.3)
      } == 1)
  }

  @Test func `blinks are measured relative to lowered eyelids`() throws {
    #expect(
      try Self.count { acting in
        acting.face.eyeBlinkLeft = 0.5
        acting.face.eyeBlinkRight = 0.45
        acting.run(for: 4)
        acting.blink(left: 0.3, right: 0.3)
        acting.blink(left: 0.3, right: 0.3)
      } == 2)
  }

  @Test func `eyes are ignored while the head is turned away`() throws {
    #expect(
      try Self.count { acting in
        acting.move(yaw: 30, in: 0.5)
        acting.blink()
        acting.move(in: 0.5)
      } == 0)
  }

  @Test func `eyes that move independently are rejected`() throws {
    var generator = SeededGenerator(8)
    var acting = TaskActing()
    acting.settle()
    acting.run(for: 3) { face, _ in
      face.eyeBlinkLeft = .random(in: 0...1, using: &generator)
      face.eyeBlinkRight = .random(in: 0...1, using: &generator)
    }
    #expect(acting.state(of: try Self.task(20)) == .failed(.wrongMovement))
  }
}
