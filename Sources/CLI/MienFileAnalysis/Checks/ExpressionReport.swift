internal import Foundation
internal import MienCore
package import MienExpressions
internal import MienFiles
package import MienRecordings

extension RecordingSource {
  /// Source type whose thresholds apply to the recording's coefficients.
  package var expressionSource: ExpressionSource {
    switch self {
    case .mienTracker, .mediaPipe: .tracker
    case .arkit, .liveLinkFace, .device: .phone
    }
  }
}

/// Accumulates the results of `mien expressions`.
package struct ExpressionReport {
  package private(set) var facesSeen = 0
  private var frames = 0
  private var machine: ExpressionDetector?
  private var performed: [RecognizedExpression] = []

  package init() {}

  package mutating func process(_ sample: ExpressionSample, _ source: ExpressionSource) {
    frames += 1
    if case .face = sample.sight { facesSeen += 1 }
    var detector = machine ?? ExpressionDetector(source: source)
    if case .performed(let expression) = detector.process(sample) {
      performed.append(expression)
    }
    machine = detector
  }

  private var unavailable: [FaceExpression] {
    facesSeen == 0 ? [] : FaceExpression.allCases.filter { machine?.isAvailable($0) == false }
  }

  /// One line per expression, followed by the expressions that the source does not provide.
  package var text: String {
    var lines = performed.map { performed in
      func seconds(_ instant: MonotonicInstant) -> String { String(format: "%.2f", instant.seconds) }
      return "\(seconds(performed.began))–\(seconds(performed.at)) s  \(performed.expression.text)"
    }
    if lines.isEmpty { lines.append("no expression in \(frames) frames, \(facesSeen) of them with a face") }
    if !unavailable.isEmpty {
      lines.append("not available from this source: \(unavailable.map(\.text).joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }

  package func jsonText() throws -> String {
    struct Row: Encodable {
      let expression: String
      let began: Double
      let at: Double
    }
    struct Reply: Encodable {
      let frames: Int
      let framesWithFace: Int
      let expressions: [Row]
      let unavailable: [String]
      let settings: String
      enum CodingKeys: String, CodingKey {
        case frames, expressions, unavailable, settings
        case framesWithFace = "frames_with_face"
      }
    }
    return try JSONText.make(
      Reply(
        frames: frames, framesWithFace: facesSeen,
        expressions: performed.map { Row(expression: $0.expression.text, began: $0.began.seconds, at: $0.at.seconds) },
        unavailable: unavailable.map(\.text), settings: ExpressionSettings.version))
  }
}
