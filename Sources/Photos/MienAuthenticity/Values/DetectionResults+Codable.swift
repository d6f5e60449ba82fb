extension DetectionResults: Codable {
  private enum CodingKeys: String, CodingKey {
    case moire, texture, artifacts, depth, burst, aggregated, checks, status
    case aggregatedConfidence = "aggregated_confidence"
    case crossValidation = "cross_validation"
    case timings = "processing_ms"
  }

  /// Decodes this schema's names and the original application's; ignores unknown fields.
  ///
  /// - Throws: `DecodingError` if a known field has another type or a number is out of range.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    moire = try box.decodeIfPresent(MoireReport.self, forKey: .moire)
    texture = try box.decodeIfPresent(TextureReport.self, forKey: .texture)
    artifacts = try box.decodeIfPresent(ArtifactReport.self, forKey: .artifacts)
    depth = try box.decodeIfPresent(DepthReport.self, forKey: .depth)
    burst = try box.decodeIfPresent(BurstReport.self, forKey: .burst)
    aggregated = try box.decodeIfPresent(
      AggregateReport.self, forKey: box.contains(.aggregated) ? .aggregated : .aggregatedConfidence)
    crossValidation = try box.decodeIfPresent(CrossValidationReport.self, forKey: .crossValidation)
    readings = try box.shortList(of: SceneCheckResult.self, forKey: .checks)
    timings = [:]
    if let times = try box.decodeIfPresent([String: Double].self, forKey: .timings) {
      for (name, time) in times {
        guard let group = CheckGroup(rawValue: name), time.isFinite, time >= 0 else { continue }
        timings[group] = time
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(hasAnyResults ? (isPartial ? "partial" : "complete") : "unavailable", forKey: .status)
    try box.encodeIfPresent(moire, forKey: .moire)
    try box.encodeIfPresent(texture, forKey: .texture)
    try box.encodeIfPresent(artifacts, forKey: .artifacts)
    try box.encodeIfPresent(depth, forKey: .depth)
    try box.encodeIfPresent(burst, forKey: .burst)
    try box.encodeIfPresent(aggregated, forKey: .aggregated)
    try box.encodeIfPresent(crossValidation, forKey: .crossValidation)
    try box.encode(readings, forKey: .checks)
    try box.encode(
      Dictionary(uniqueKeysWithValues: timings.map { ($0.key.rawValue, $0.value) }), forKey: .timings)
  }
}
