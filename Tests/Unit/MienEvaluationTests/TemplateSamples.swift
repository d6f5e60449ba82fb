import MienCore
import MienEvaluation

/// Templates whose similarities are known: those of different axes are orthogonal without a tilt.
enum TemplateSamples {
  static func values(_ axis: Int, tilt: Float = 0) -> [Float] {
    (0..<FaceTemplate.count).map { $0 == axis ? 1 : $0 == FaceTemplate.count - 1 ? tilt : 0 }
  }

  static func text(_ axis: Int, tilt: Float = 0) -> String {
    values(axis, tilt: tilt).map { "\($0)" }.joined(separator: " ")
  }

  static func row(
    _ clip: String, of person: String, axis: Int, tilt: Float = 0, label: String = TemplateManifest.bonaFide,
    liveness: LivenessOutcome? = nil, id: String? = nil
  ) -> TemplateManifest.Row {
    TemplateManifest.Row(
      id: id ?? clip, person: person, clip: clip, label: label, liveness: liveness,
      template: FaceTemplate(values(axis, tilt: tilt)))
  }

  static func table(_ rows: [TemplateManifest.Row]) -> TemplateManifest {
    TemplateManifest(rows: rows, model: "test", hasLiveness: rows.contains { $0.liveness != nil })
  }
}
