import Foundation
import MienCore
import MienLiveness
import Testing

/// A session with a prompt every 1.2 s, to which the head reacts after 0.35 s with a smooth turn.
private struct PromptedSession {
  var rate = 12.0
  var prompts = 6
  /// Degrees and centimeters by which the face jumps at each prompt.
  var jump: Float = 0
  /// Duration of a turn in seconds.
  var turn = 0.5
  var noise: Float = 0.3
  var seed = 1
  /// Scene behind the head, with a jump at each prompt; `nil` for observations without pixels.
  var scene: Scene?

  /// A textured background seen by a handheld camera; distances in widths of the image.
  struct Scene {
    /// Standard deviation of the scene's shift at each prompt, where another recording begins.
    var jump: Float = 0
    /// Amplitude of the hand's motion.
    var sway: Float = 0.004
    /// Time at which the camera is pushed, and at which a lamp is switched on.
    var push = Double.infinity
    var lamp = Double.infinity

    /// - Parameters:
    ///   - head: horizontal position of the head, which covers the middle.
    ///   - shift: direction in which the scene jumped.
    func picture(at time: Double, head: Float, shift: SIMD4<Float>, _ generator: inout SeededGenerator)
      -> FrameFingerprint?
    {
      let hand = SIMD2(sway * Float(sin(time * 5)), sway * Float(cos(time * 4)))
      let pushed: Float = time >= push ? 0.03 : 0
      let light: Float = time >= lamp ? 40 : 0
      let side = FrameFingerprint.side
      return FrameFingerprint(
        luma: (0..<side * side).map { cell in
          let x = Float(cell % side) / Float(side) + hand.x + pushed + shift.x * jump
          let y = Float(cell / side) / Float(side) + hand.y + shift.y * jump
          let noise = 0.3 * generator.normal()
          let (across, down) = (Float(cell % side) / Float(side) - head, Float(cell / side) / Float(side) - 0.5)
          if across * across + down * down < 0.05 { return 170 + 30 * sin(across * 30) + light + noise }
          return 100 + 50 * sin(x * 21) * cos(y * 17) + 20 * sin(x * 40 + y * 33) + light * x + noise
        })
    }
  }

  /// Observations, and for each whether the prompt changed with it.
  var frames: [(FaceObservation, promptChanged: Bool)] {
    var generator = SeededGenerator(seed)
    let targets = (0...prompts).map { _ in
      SIMD2<Float>(.random(in: -18...18, using: &generator), .random(in: -10...10, using: &generator))
    }
    let jumps = (0...prompts).map { _ in
      SIMD4<Float>(generator.normal(), generator.normal(), generator.normal(), generator.normal()) * jump
    }
    var sceneGenerator = SeededGenerator(seed + 100)
    let sceneJumps = (0...prompts).map { _ in
      SIMD4<Float>(sceneGenerator.normal(), sceneGenerator.normal(), 0, 0)
    }
    var list: [(FaceObservation, promptChanged: Bool)] = []
    var last = 0
    for index in 0..<Int((1.5 + 1.2 * Double(prompts)) * rate) {
      let time = Double(index) / rate
      let number = min(Int(time / 1.2), prompts)
      let share = Float(min(max((time - Double(number) * 1.2 - 0.35) / turn, 0), 1))
      let progress = share * share * share * (10 - 15 * share + 6 * share * share)
      let pose =
        number == 0 ? .zero : (number == 1 ? .zero : targets[number - 1]) * (1 - progress) + targets[number] * progress
      var head = PassiveHead()
      head.noise = noise
      head.yaw = pose.x
      head.pitch = pose.y
      head.place.x += Float(index % 40) * 0.01
      // The recording that is cut to, after the prompt was seen, differs in pose and position.
      let shift = jumps[last]
      head.yaw += shift.x
      head.pitch += shift.y
      head.place += SIMD3(shift.z, shift.w, 0) * 0.2
      var observation = head.observation(at: .after(time), generator: &generator)
      observation.fingerprint = scene?.picture(
        at: time, head: 0.5 + pose.x * 0.002, shift: sceneJumps[last], &sceneGenerator)
      let changed = number > last
      last = number
      list.append((observation, changed))
    }
    return list
  }

  /// Returns the finding after the frames, which the closure may alter.
  func finding(_ change: (inout [(FaceObservation, promptChanged: Bool)]) -> Void = { _ in }) -> Finding.Result? {
    var frames = frames
    change(&frames)
    var monitor = PassiveSignalMonitor(settings: .recording)
    for (observation, promptChanged) in frames {
      monitor.process(observation)
      if promptChanged { monitor.promptChanged(at: observation.at) }
    }
    return monitor.finding("recording-cuts")
  }
}

@Suite struct `Passive signals: cuts between recordings` {
  @Test(arguments: 1...10) func `a face that jumps at the prompts is suspect`(seed: Int) throws {
    let found = PromptedSession(jump: 3, seed: seed).finding()
    #expect(found?.reason == "cut-at-prompts")
    #expect(PassiveAssessment([Finding(check: "recording-cuts", result: try #require(found))]).outcome == .doubtful)
  }

  @Test(arguments: 1...10, [0.3, 0.5]) func `a person who turns slowly or fast is not`(seed: Int, turn: Double) throws {
    for rate in [8.0, 12, 30] {
      let found = try #require(PromptedSession(rate: rate, turn: turn, seed: seed).finding())
      #expect(found.measure != nil && found.reason == nil, "\(rate) frames per second: \(found)")
    }
  }

  @Test(arguments: 1...10) func `dropped and repeated frames of a person are not suspect`(seed: Int) throws {
    let dropped = try #require(
      PromptedSession(rate: 15, seed: seed).finding { frames in
        var generator = SeededGenerator(seed)
        frames = frames.filter { $0.promptChanged || Int.random(in: 0..<5, using: &generator) > 0 }
      })
    #expect(dropped.measure != nil && dropped.reason == nil, "\(dropped)")
    let repeated = try #require(
      PromptedSession(rate: 15, seed: seed).finding { frames in
        for index in frames.indices.dropFirst() where index % 4 == 3 {
          frames[index].0.face = frames[index - 1].0.face
        }
      })
    #expect(repeated.measure != nil && repeated.reason == nil, "\(repeated)")
  }

  @Test(arguments: 1...10) func `glitches of the tracker and single jumps are not suspect`(seed: Int) throws {
    let found = try #require(
      PromptedSession(seed: seed).finding { frames in
        var generator = SeededGenerator(seed)
        for _ in 0..<4 {
          let index = Int.random(in: frames.indices, using: &generator)
          guard let face = frames[index].0.face else { continue }
          frames[index].0.face?.landmarks =
            Landmarks(face.landmarks.points.map { $0 + SIMD3(0.03, -0.02, 0) }) ?? face.landmarks
        }
        // The camera is pushed once.
        for index in frames.indices.suffix(frames.count / 2) {
          guard let face = frames[index].0.face else { continue }
          frames[index].0.face?.landmarks =
            Landmarks(face.landmarks.points.map { $0 + SIMD3(0.05, 0, 0) }) ?? face.landmarks
        }
      })
    #expect(found.measure != nil && found.reason == nil, "\(found)")
  }

  @Test(arguments: 1...5, [12.0, 15])
  func `recordings whose faces fit are suspect if the rest of the picture jumps`(seed: Int, rate: Double) {
    let found = PromptedSession(rate: rate, seed: seed, scene: .init(jump: 0.03)).finding()
    #expect(found?.reason == "cut-at-prompts", "\(String(describing: found))")
    let face = PromptedSession(rate: rate, seed: seed).finding()
    #expect(face?.measure != nil && face?.reason == nil, "\(String(describing: face))")
  }

  @Test(arguments: 1...3, [8.0, 12, 30])
  func `an unsteady camera, a push and a lamp are not suspect`(seed: Int, rate: Double) throws {
    let scenes = [
      PromptedSession.Scene(sway: 0), .init(), .init(sway: 0.02), .init(push: 4), .init(lamp: 4.85),
    ]
    for scene in scenes {
      let found = try #require(PromptedSession(rate: rate, seed: seed, scene: scene).finding())
      #expect(found.measure != nil && found.reason == nil, "\(scene): \(found)")
    }
  }

  @Test(arguments: 1...10) func `dropped and repeated pictures of a person are not suspect`(seed: Int) throws {
    let session = PromptedSession(rate: 15, seed: seed, scene: .init())
    let dropped = try #require(
      session.finding { frames in
        var generator = SeededGenerator(seed)
        frames = frames.filter { $0.promptChanged || Int.random(in: 0..<5, using: &generator) > 0 }
      })
    #expect(dropped.measure != nil && dropped.reason == nil, "\(dropped)")
    let repeated = try #require(
      session.finding { frames in
        for index in frames.indices.dropFirst() where index % 4 == 3 {
          frames[index].0.face = frames[index - 1].0.face
          frames[index].0.fingerprint = frames[index - 1].0.fingerprint
        }
      })
    #expect(repeated.measure != nil && repeated.reason == nil, "\(repeated)")
  }

  @Test func `not assessed with fewer than three prompts or below the frame rate it was evaluated at`() {
    #expect(PromptedSession(prompts: 2, jump: 3).finding()?.measure == nil)
    #expect(PromptedSession(rate: 6, jump: 3).finding()?.measure == nil)
    #expect(PromptedSession(rate: 8, jump: 3).finding()?.measure != nil)
  }

  @Test(arguments: [5, 30, 61]) func `the state can be saved and restored`(at place: Int) throws {
    var (monitor, restored) = (
      PassiveSignalMonitor(settings: .recording), PassiveSignalMonitor(settings: .recording)
    )
    for (index, (observation, promptChanged)) in PromptedSession(jump: 3).frames.enumerated() {
      monitor.process(observation)
      if index >= place { restored.process(observation) }
      if promptChanged {
        monitor.promptChanged(at: observation.at)
        if index >= place { restored.promptChanged(at: observation.at) }
      }
      guard index + 1 == place else { continue }
      var (copy, writer) = (monitor, BinaryStateCoder(writingAt: .zero))
      writer.pass(&copy)
      var reader = BinaryStateCoder(reading: writer.bytes, at: .zero)
      reader.pass(&restored)
      #expect(reader.isReadToTheEnd)
    }
    #expect(restored.finding("recording-cuts") == monitor.finding("recording-cuts"))
    #expect(monitor.finding("recording-cuts")?.reason != nil)
  }
}
