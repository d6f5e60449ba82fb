// Success rate of an attacker with a library of recordings, who selects them according to the prompts, and the time that
// a genuine subject takes.
//
//   AttackTable [TRIES] [FOLDER]     TRIES for each task and level, 3000 by default; FOLDER of `mien track --raw --jsonl`
//
// Runs at the level of observations: subjects and recordings are simulated, and the check's state machine runs in this
// process. Of the passive signals, those that compare the positions of frames are simulated (`recording-cuts`); pixels are not.

import Foundation
import MienCore
import MienLiveness

func plan(_ name: String, _ able: AccessibilityProfile = .all, _ generator: inout SeededGenerator) throws -> TaskPlan {
  let (kind, difficulty) = (
    name.split(separator: " ")[0], TaskDifficulty(rawValue: name.split(separator: " ").last.map(String.init) ?? "")
  )
  if let level = AssuranceLevel(rawValue: name) {
    guard let plan = level.plan(for: able, using: &generator) else {
      preconditionFailure("the subject can do something")
    }
    return plan
  }
  if kind == "yes-or-no" {
    let questions = [true, false, true, false].enumerated().map { TaskQuestion(id: "\($0.offset)", answer: $0.element) }
    return TaskPlan(.yesOrNo(try .shuffled(questions: questions, difficulty: .medium, timeout: nil, using: &generator)))
  }
  guard let kind = TaskKind(rawValue: String(kind)),
    let task = LivenessTask.random(kind, difficulty: difficulty ?? .medium, using: &generator)
  else { preconditionFailure("\(name) is a kind of task") }
  return TaskPlan(task)
}

func durations(_ name: String, _ able: AccessibilityProfile, _ label: String) throws {
  var (performance, total, bits, suspect) = ([Double](), [Double](), 0.0, 0)
  var generator = SeededGenerator(1)
  for number in 0..<1000 {
    let plan = try plan(name, able, &generator)
    bits = bits == 0 ? plan.bitsOfChoice : min(bits, plan.bitsOfChoice)
    let take = RecordedTake(of: plan, by: TaskPerson(&generator), fps: [6, 10, 15, 24, 30][number % 5], &generator)
    if take.passed {
      performance.append(take.performance)
      total.append(take.total)
      if take.signals(generator).showsCuts { suspect += 1 }
    }
  }
  print(
    String(
      format: "| %@ | %@ | %.1f | %.1f %% | %.1f %% | %.1f | %.1f | %.1f |", name, label, bits,
      Double(performance.count) / 10, Double(performance.count - suspect) / 10,
      quantile(0.5, performance), quantile(0.95, performance), quantile(0.5, total)))
}

/// Returns how often an attacker with 50 recordings of the same subject passes, over 30 subjects, and how often also the passive
/// signals see no cuts.
func passes(
  _ name: String, _ able: AccessibilityProfile, _ method: LibraryAttacker.Method, delay: Double = 0, tries: Int
) throws -> (passed: Int, unseen: Int) {
  var (generator, passed, unseen) = (SeededGenerator(7), 0, 0)
  for _ in 0..<30 {
    var person = TaskPerson(&generator)
    person.jitter = .random(in: 0.1...0.4, using: &generator)
    let rest = person.rest
    var takes: [RecordedTake] = []
    while takes.count < 50 {
      // Between two recordings the subject moves a little.
      person.rest = rest + SIMD3(generator.normal(), generator.normal(), generator.normal())
      let place = SIMD3(generator.normal(), generator.normal(), generator.normal()) * 0.02
      let take = RecordedTake(of: try plan(name, able, &generator), by: person, at: place, fps: 15, &generator)
      if take.passed { takes.append(take) }
    }
    let attacker = LibraryAttacker(takes, method, delay: delay)
    for _ in 0..<(tries / 30) {
      var signals = SimulatedSignals(generator)
      guard attacker.play(to: try plan(name, able, &generator), &generator, &signals) == .passed else { continue }
      passed += 1
      if !signals.showsCuts { unseen += 1 }
    }
  }
  return (passed, unseen)
}

/// Returns the cells of a row: one recording for each task, cut at each prompt, and both without suspect cuts.
func cells(_ name: String, _ able: AccessibilityProfile) throws -> String {
  let counts = try LibraryAttacker.Method.allCases.map { try passes(name, able, $0, tries: tries) }
  return (counts.map(\.passed) + counts.map(\.unseen)).map { percent($0, of: tries) }.joined(separator: " | ")
}

let arguments = CommandLine.arguments
let tries = (arguments.count > 1 ? Int(arguments[1]) ?? 3000 : 3000) / 30 * 30
let levels = AssuranceLevel.allCases.map(\.rawValue)
let names =
  levels
  + TaskKind.allCases.flatMap { kind in
    kind == .yesOrNo ? [kind.rawValue] : TaskDifficulty.allCases.map { kind.rawValue + " " + $0.rawValue }
  }

print(
  "| level | abilities | bits of choice | genuine passed | and shows no cuts | median s | p95 s | median s with positioning |\n|---|---|---|---|---|---|---|---|"
)
let abilities: [(String, AccessibilityProfile)] = [
  ("all", .all), ("no neck", [.eyelids, .mouth, .sight]), ("no sight", [.neck, .eyelids, .mouth]),
  ("eyelids only", [.eyelids]),
]
for level in levels { for (label, able) in abilities { try durations(level, able, label) } }

print(
  "\n| task or level | one recording for each task | cut at each prompt | one recording, no cuts seen | cut, no cuts seen |\n|---|---|---|---|---|"
)
for name in names {
  print("| \(name) | \(try cells(name, .all)) |")
}

for level in ["standard", "high"] {
  for (label, able) in abilities.dropFirst() {
    print("| \(level), \(label) | \(try cells(level, able)) |")
  }
}

print("\n| level | cut after the prompt by | passed | and no cuts seen |\n|---|---|---|---|")
for level in ["standard", "high"] {
  for delay in [0, 0.1, 0.2, 0.4, 0.6] {
    let counts = try passes(level, .all, .cut, delay: delay, tries: tries)
    print("| \(level) | \(delay) s | \(percent(counts.passed, of: tries)) | \(percent(counts.unseen, of: tries)) |")
  }
}

if arguments.count > 2 {
  let files = try FileManager.default.contentsOfDirectory(atPath: arguments[2]).filter { $0.hasSuffix(".jsonl") }
    .sorted()
  let clips = files.compactMap { RealClip(arguments[2] + "/" + $0) }
  let attacker = ClipAttacker(clips)
  print("\n| task or level | cut among \(clips.count) clips of real faces |\n|---|---|")
  for name in names {
    var (generator, passed) = (SeededGenerator(9), 0)
    for _ in 0..<tries where attacker.play(to: try plan(name, .all, &generator), &generator) == .passed { passed += 1 }
    print("| \(name) | \(percent(passed, of: tries)) |")
  }
}
