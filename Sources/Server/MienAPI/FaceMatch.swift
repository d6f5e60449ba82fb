/// Body of `POST /v1/compare`: two images with one face each, JPEG, PNG, HEIC, AVIF or WebP in base64 (RFC 4648,
/// section 4).
public struct CompareRequest: Codable, Hashable, Sendable {
  /// The picture that the other one is compared with, such as a portrait.
  public var referenceImage: String
  public var image: String

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case referenceImage = "reference_image"
    case image
  }

  public init(referenceImage: String, image: String) {
    self.referenceImage = referenceImage
    self.image = image
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    referenceImage = try box.decode(String.self, forKey: .referenceImage)
    image = try box.decode(String.self, forKey: .image)
  }
}

extension CompareRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "CompareRequest(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Result of a comparison of two faces: the decision, with the numbers on which it is based.
public struct MatchResponse: Codable, Hashable, Sendable {
  /// `match`, `no-match` or `not-assessed`.
  public var decision: String
  /// Kind of the reference that the face was compared with: `image` or `template`.
  public var reference: String
  /// Cosine similarity, −1…1; omitted if nothing was assessed.
  public var similarity: Double?
  /// Minimum similarity for the decision `match`.
  public var threshold: Double
  /// Measured share of pairs of different people that match at this threshold.
  public var falseMatchRate: Double
  /// Measured share of pairs of one person that do not match at this threshold.
  public var falseNonMatchRate: Double
  /// Version of the model and of the alignment.
  public var model: String
  /// The reason why nothing was assessed.
  public var reason: String?

  public enum CodingKeys: String, CodingKey {
    case decision, reference, similarity, threshold, model, reason
    case falseMatchRate = "false_match_rate"
    case falseNonMatchRate = "false_non_match_rate"
  }

  public init(
    decision: String, reference: String, similarity: Double?, threshold: Double, falseMatchRate: Double,
    falseNonMatchRate: Double, model: String, reason: String? = nil
  ) {
    self.decision = decision
    self.reference = reference
    self.similarity = similarity
    self.threshold = threshold
    self.falseMatchRate = falseMatchRate
    self.falseNonMatchRate = falseNonMatchRate
    self.model = model
    self.reason = reason
  }
}

/// Response to `GET /v1/checks/{id}/match`: the comparison as the subject may know it, without the similarity.
public struct MatchStateResponse: Codable, Hashable, Sendable {
  /// `off`, `open`, `declined` or `decided`.
  public var state: String
  /// `match`, `no-match` or `not-assessed`; omitted until the check is decided.
  public var decision: String?
  /// The reason why nothing was assessed.
  public var reason: String?

  public init(state: String, decision: String? = nil, reason: String? = nil) {
    self.state = state
    self.decision = decision
    self.reason = reason
  }
}

/// Response to `POST /v1/compare`.
public struct CompareResponse: Codable, Hashable, Sendable {
  public var match: MatchResponse
  public var referenceImage: ComparedImage
  public var image: ComparedImage

  public enum CodingKeys: String, CodingKey {
    case match, image
    case referenceImage = "reference_image"
  }

  /// One of the two images.
  public struct ComparedImage: Codable, Hashable, Sendable {
    /// Face box as fractions of the image: left, top, width, height; omitted without a face.
    public var box: [Float]?
    /// The reason why the face cannot be compared; omitted if it can.
    public var problem: String?

    public init(box: [Float]?, problem: String?) {
      self.box = box
      self.problem = problem
    }
  }

  public init(match: MatchResponse, referenceImage: ComparedImage, image: ComparedImage) {
    self.match = match
    self.referenceImage = referenceImage
    self.image = image
  }
}

extension CompareResponse: CustomStringConvertible, CustomReflectable {
  public var description: String { "CompareResponse(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
