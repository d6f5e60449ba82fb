internal import Foundation
package import MienCore
internal import MienRecordings

/// CSV table for spreadsheets: one row per frame; values that were not measured are empty cells.
package enum CSVWriter {
  package static func text(_ observations: [ClientObservation]) -> String {
    var lines = [
      (["time_s", "faces", "yaw_deg", "pitch_deg", "roll_deg"] + BlendshapeName.allCases.map(\.text)).joined(
        separator: ",")
    ]
    for observation in observations {
      var cells = [
        String(format: "%.6f", observation.at.seconds), observation.faceCount.map(String.init) ?? "",
        number(observation.pose?.yaw), number(observation.pose?.pitch), number(observation.pose?.roll),
      ]
      cells += BlendshapeName.allCases.map { number(observation.blendshapes?[$0]) }
      lines.append(cells.joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func number(_ value: Float?) -> String { value.map { String(format: "%.5f", $0) } ?? "" }
}
