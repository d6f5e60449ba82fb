// Success rate of an attacker who holds a library of recordings and chooses among them by the prompts, and the time that
// a genuine subject takes.
//
//   AttackTable [TRIES] [FOLDER]     TRIES for each task and level, 3000 by default; FOLDER of `mien track --raw --jsonl`
//
// Runs at the level of observations: subjects and recordings are simulated, and the check's state machine runs in this
// process. Passive signals and pixels are not simulated.

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
  var (performance, total, bits) = ([Double](), [Double](), 0.0)
  var generator = SeededGenerator(1)
  for number in 0..<1000 {
    let plan = try plan(name, able, &generator)
    bits = bits == 0 ? plan.bitsOfChoice : min(bits, plan.bitsOfChoice)
    let take = RecordedTake(of: plan, by: TaskPerson(&generator), fps: [6, 10, 15, 24, 30][number % 5], &generator)
    if take.passed {
      performance.append(take.performance)
      total.append(take.total)
    }
  }
  print(
    String(
      format: "| %@ | %@ | %.1f | %.1f %% | %.1f | %.1f | %.1f |", name, label, bits, Double(performance.count) / 10,
      quantile(0.5, performance), quantile(0.95, performance), quantile(0.5, total)))
}

/// Returns how often an attacker with 50 recordings of the same subject passes, over 30 subjects.
func passes(
  _ name: String, _ able: AccessibilityProfile, _ method: LibraryAttacker.Method, tries: Int
) throws -> Int {
  var (generator, passed) = (SeededGenerator(7), 0)
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
    let attacker = LibraryAttacker(takes, method)
    for _ in 0..<(tries / 30) where attacker.play(to: try plan(name, able, &generator), &generator) == .passed {
      passed += 1
    }
  }
  return passed
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
  "| level | abilities | bits of choice | genuine passed | median s | p95 s | median s with positioning |\n|---|---|---|---|---|---|---|"
)
let abilities: [(String, AccessibilityProfile)] = [
  ("all", .all), ("no neck", [.eyelids, .mouth, .sight]), ("no sight", [.neck, .eyelids, .mouth]),
  ("eyelids only", [.eyelids]),
]
for level in levels { for (label, able) in abilities { try durations(level, able, label) } }

print("\n| task or level | one recording for each task | cut at each prompt |\n|---|---|---|")
for name in names {
  let cells = try LibraryAttacker.Method.allCases.map { percent(try passes(name, .all, $0, tries: tries), of: tries) }
  print("| \(name) | " + cells.joined(separator: " | ") + " |")
}

for level in ["standard", "high"] {
  for (label, able) in abilities.dropFirst() {
    let cells = try LibraryAttacker.Method.allCases.map {
      percent(try passes(level, able, $0, tries: tries), of: tries)
    }
    print("| \(level), \(label) | " + cells.joined(separator: " | ") + " |")
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
