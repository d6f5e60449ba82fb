import Foundation
import MienExpressions
import MienCore
import MienRecordings
import Testing

/// Recordings from a phone of people who talk and smile, without winks, tongues, kisses or surprise.
@Suite(.enabled(if: SharedData.isThere("Real takes")))
struct `Real recordings` {
  static let takes = [
    ("dwskillman/MySlate_1_iPhone.csv", 0), ("neurosync/Happy.csv", 0), ("neurosync/MySlate_161_iPhone_cal.csv", 0),
    ("neurosync/MySlate_163_iPhone_cal.csv", 0), ("neurosync/MySlate_164_iPhone_cal.csv", 1),
    ("neurosync/MySlate_165_iPhone_cal.csv", 0), ("neurosync/MySlate_167_iPhone_cal.csv", 0),
    ("neurosync/MySlate_168_iPhone_cal.csv", 0),
  ]

  @Test(arguments: takes) func `speech triggers smiles only where there are smiles`(
    _ name: String, _ smiles: Int
  )
    throws
  {
    let file = try #require(SharedData.folder).appendingPathComponent("arkit/" + name)
    let recording = try Recording.read(ContiguousArray(try Data(contentsOf: file)))
    var machine = ExpressionDetector(source: .phone)
    let performed = recording.replay().compactMap { claim in
      if case .performed(let performed) = machine.process(ExpressionSample(claim, source: .phone)) {
        performed
      } else {
        nil
      }
    }
    #expect(performed.map(\.expression) == Array(repeating: .smile, count: smiles))
    #expect(recording.observations.count > 600 && FaceExpression.allCases.allSatisfy { machine.isAvailable($0) })
  }
}
