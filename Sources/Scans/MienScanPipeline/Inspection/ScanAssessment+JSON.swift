internal import MienFiles
internal import MienReconstruction
internal import MienScanFormat

extension ScanAssessment {
  /// Formats the assessment as one JSON object.
  package func json(_ input: String) throws -> String {
    try JSONText.make(
      Document(
        input: input, grade: findings.grade.rawValue,
        findings: findings.map { finding in
          Document.Item(
            item: finding.item.rawValue, grade: finding.grade.rawValue, value: finding.value, unit: finding.unit,
            words: finding.words)
        },
        photos: photos.map { photo in
          Document.Photo(
            measures: photo.measures.map { measure in
              Document.Measure(
                name: measure.name.rawValue, value: measure.value, unit: measure.unit, score: measure.score)
            })
        },
        guide: guidance?.map { Document.Guidance(seconds: $0.seconds, advice: $0.advice?.rawValue) }))
  }

  private struct Document: Encodable {
    let input: String
    let grade: String
    let findings: [Item]
    let photos: [Photo]
    let guide: [Guidance]?

    /// A change of guidance: `advice` is `null` if it was withdrawn without a replacement.
    struct Guidance: Encodable {
      let seconds: Double
      let advice: String?
    }

    struct Photo: Encodable {
      let measures: [Measure]
    }

    struct Measure: Encodable {
      let name: String
      let value: Double
      let unit: String
      let score: Double?
    }

    struct Item: Encodable {
      let item: String
      let grade: String
      let value: Double?
      let unit: String
      let words: String
    }
  }
}
