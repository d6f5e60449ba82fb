internal import Foundation
internal import Hummingbird
internal import MienAPI
internal import MienAccess
internal import MienChecks
internal import MienCore
internal import MienFaceMatch
internal import MienPlatform

/// Route that compares the faces of two images. Nothing is stored.
struct CompareRoutes: Sendable {
  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    routes.post("/v1/compare", RoutePolicy(.key, .checks, body: settings.maximumComparisonBytes)) { call in
      let comparer = try realms[call.realm].checks.expectFaceComparer()
      let body = try await call.json(CompareRequest.self)
      let comparison = try await comparer.compare(
        reference: ImageParsing.base64(body.referenceImage, "reference_image"),
        image: ImageParsing.base64(body.image, "image"))
      return JSONResponse.json(CompareResponse(comparison, threshold: comparer.threshold))
    }
  }
}

/// Parses images in JSON bodies.
enum ImageParsing {
  /// - Throws: ``ServiceError`` with `badValue`, without the text.
  static func base64(_ text: String, _ name: String) throws -> [UInt8] {
    guard let data = Data(base64Encoded: text), !data.isEmpty else {
      throw ServiceError(.badValue, "\"\(name)\" must be an image file in base64: JPEG, PNG, HEIC, AVIF or WebP.")
    }
    return [UInt8](data)
  }
}

extension CompareResponse {
  init(_ comparison: FaceComparer.Comparison, threshold: MatchThreshold) {
    var problems: (reference: FaceImageProblem?, image: FaceImageProblem?)
    var match = MatchResponse(threshold: threshold, reference: "image")
    switch comparison.outcome {
    case .match(let similarity): (match.decision, match.similarity) = ("match", MatchResponse.rounded(similarity))
    case .noMatch(let similarity): (match.decision, match.similarity) = ("no-match", MatchResponse.rounded(similarity))
    case .notAssessed(let reference, let image):
      problems = (reference, image)
      match.reason = (reference ?? image)?.rawValue
    }
    self.init(
      match: match, referenceImage: ComparedImage(comparison.reference, problems.reference),
      image: ComparedImage(comparison.image, problems.image))
  }
}

extension CompareResponse.ComparedImage {
  init(_ observation: FaceObservation?, _ problem: FaceImageProblem?) {
    let box = observation?.face?.box
    self.init(
      box: box.map { [$0.x, $0.y, $0.width, $0.height].map { ($0 * 1000).rounded() / 1000 } },
      problem: problem?.rawValue)
  }
}

extension Finding {
  /// `true` for the comparison with a reference, which responses contain apart from the findings about liveness.
  var isMatch: Bool { check == ReferenceMatch.check }
}

extension MatchResponse {
  /// Creates a response without an assessment.
  init(threshold: MatchThreshold, reference: String) {
    self.init(
      decision: "not-assessed", reference: reference, similarity: nil, threshold: Self.rounded(threshold.value),
      falseMatchRate: Self.rounded(Float(threshold.falseMatchRate)),
      falseNonMatchRate: Self.rounded(Float(threshold.falseNonMatchRate)), model: FaceTemplate.model)
  }

  /// Creates the response for the comparison in a check's result; `nil` if there is none.
  init?(_ record: CheckRecord, _ result: CheckResult?) {
    guard let finding = result?.findings.first(where: { $0.isMatch }) else { return nil }
    self.init(finding, reference: record.templateUse == .match ? "template" : "image")
  }

  /// Creates the response for the finding about a reference.
  init(_ finding: Finding, reference: String) {
    self.init(threshold: .standard, reference: reference)
    switch finding.result {
    case .genuine(let measure): (decision, similarity) = ("match", Self.rounded(Float(measure.native)))
    case .suspect(let measure, _): (decision, similarity) = ("no-match", Self.rounded(Float(measure.native)))
    case .notAssessed(let obstacle): reason = obstacle.code
    }
  }

  static func rounded(_ value: Float) -> Double { (Double(value) * 1000).rounded() / 1000 }
}

extension MatchStateResponse {
  init(_ state: MatchState) {
    switch state {
    case .off: self.init(state: "off")
    case .open: self.init(state: "open")
    case .declined: self.init(state: "declined")
    case .decided(let finding):
      let match = MatchResponse(finding, reference: "image")
      self.init(state: "decided", decision: match.decision, reason: match.reason)
    }
  }
}
