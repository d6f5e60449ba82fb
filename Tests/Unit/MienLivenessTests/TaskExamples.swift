import MienLiveness

/// Random tasks of every kind.
enum TaskExamples {
  static let frameRates: [Double] = [6, 10, 15, 24, 30]

  static func task(_ kind: TaskKind, _ difficulty: TaskDifficulty, _ generator: inout SeededGenerator) -> LivenessTask?
  {
    guard kind == .yesOrNo else { return LivenessTask.random(kind, difficulty: difficulty, using: &generator) }
    var questions: [TaskQuestion] = []
    for number in 1...4 { questions.append(TaskQuestion(id: "q\(number)", answer: number % 2 == 0)) }
    return (try? YesOrNoTask.shuffled(questions: questions, difficulty: difficulty, using: &generator)).map(
      LivenessTask.yesOrNo)
  }
}
