import Foundation
import MienLiveness
import MienCore
import Testing

/// Tasks on recordings of people: lines written by `mien track CLIP --jsonl FILE` for clips of the shared data, in the
/// folder `MIEN_OBSERVATIONS`. The recordings show faces and are not part of the repository.
@Suite struct `Tasks on real footage` {
  private struct Line: Decodable {
    var t: Double
    var faces: Int?
    var box: [Float]?
    var pose: [String: Float]?
    var blendshapes: [String: Float]?
  }

  static let folder: URL? = {
    guard let path = ProcessInfo.processInfo.environment["MIEN_OBSERVATIONS"] else {
      print("SKIPPED Tasks on real footage: MIEN_OBSERVATIONS is not set")
      return nil
    }
    return URL(filePath: path)
  }()

  /// Returns the samples of a clip from `start` on.
  static func samples(_ clip: String, from start: Double = 0) throws -> [TaskSample] {
    let folder = try #require(folder)
    let text = try String(contentsOf: folder.appending(path: clip + ".jsonl"), encoding: .utf8)
    var samples: [TaskSample] = []
    for line in text.split(separator: "\n") {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)), line.t >= start else { continue }
      var sight = TaskSample.Sight.noFace
      if let pose = line.pose, let yaw = pose["yaw"], let box = line.box, box.count == 4 {
        sight = .face(
          TaskSample.Face(
            yaw: yaw, pitch: pose["pitch"], roll: pose["roll"], eyeBlinkLeft: line.blendshapes?["eyeBlinkLeft"],
            eyeBlinkRight: line.blendshapes?["eyeBlinkRight"], jawOpen: line.blendshapes?["jawOpen"],
            box: FaceBox(x: box[0], y: box[1], width: box[2], height: box[3])))
      }
      samples.append(TaskSample(at: .after(line.t), sight: sight))
    }
    return samples
  }

  static func machine(_ task: LivenessTask, _ clip: String, from start: Double = 0) throws -> TaskStateMachine {
    var machine = TaskStateMachine(task)
    machine.beginTracking(at: .after(start))
    for sample in try samples(clip, from: start) { _ = machine.process(sample) }
    return machine
  }

  /// Counted manually: the woman in the first clip blinks six times between 6 and 18 s and closes her eyes for longer
  /// at the
  /// end; the man in the last one turns his head away after 7 s, and reflections cover his eyes.
  @Test(
    .enabled(if: folder != nil),
    arguments: [
      ("pyfeat_WolfgangLanger_Pexels.mp4", 6.0), ("pyfeat_single_face.mp4", 1), ("zubair_real.mov", 0),
      ("zubair_fake.mp4", 0),
    ])
  func `blink counts match manual counts`(_ clip: String, _ blinks: Double) throws {
    let machine = try Self.machine(.blink(try BlinkTask(blinks: 20, timeout: .seconds(300))), clip)
    #expect(machine.evidence.native == blinks)
  }

  /// The man tilts his head to his left at 5.2 s and to his right at 6.4 s.
  @Test(.enabled(if: folder != nil), arguments: TaskDifficulty.allCases)
  func `tilts are read from the subject's side`(_ difficulty: TaskDifficulty) throws {
    let questions = [TaskQuestion(id: "a", answer: false), TaskQuestion(id: "b", answer: true)]
    let reversed = [TaskQuestion(id: "a", answer: true), TaskQuestion(id: "b", answer: false)]
    let start = difficulty == .easy ? 3.2 : 3.8
    var task = LivenessTask.yesOrNo(try YesOrNoTask(questions: questions, difficulty: difficulty))
    #expect(try Self.machine(task, "zubair_real.mov", from: start).state == .success)
    task = .yesOrNo(try YesOrNoTask(questions: reversed, difficulty: difficulty))
    #expect(try Self.machine(task, "zubair_real.mov", from: start).state == .failed(.wrongAnswer))
  }

  @Test(
    .enabled(if: folder != nil), arguments: TaskKind.allCases,
    ["intel_asl_yes.mkv", "intel_asl_sorry.mkv", "pyfeat_single_face.mp4", "zubair_fake.mp4"])
  func `people who did not perform the task on request do not pass`(_ kind: TaskKind, _ clip: String) throws {
    for seed in 0..<20 {
      var generator = SeededGenerator(seed)
      let task = try #require(TaskExamples.task(kind, .medium, &generator))
      #expect(try Self.machine(task, clip).state != .success)
    }
  }
}
