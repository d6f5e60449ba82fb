/// Body of `GetFaceLivenessSessionResults`.
public struct GetFaceLivenessSessionResultsRequest: Codable, Hashable, Sendable {
  public var sessionID: String?

  public enum CodingKeys: String, CodingKey, CaseIterable { case sessionID = "SessionId" }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the API; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    sessionID = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .sessionID)
  }
}

/// Response of `GetFaceLivenessSessionResults`.
public struct GetFaceLivenessSessionResultsResponse: Codable, Hashable, Sendable {
  public var sessionID: String
  /// `CREATED`, `IN_PROGRESS`, `SUCCEEDED`, `FAILED` or `EXPIRED`.
  public var status: String
  /// 0…100.
  public var confidence: Double?
  public var referenceImage: AuditImage?
  public var auditImages: [AuditImage]?
  public var challenge: Challenge?
  public var feedback: [FeedbackItem]?

  public struct AuditImage: Codable, Hashable, Sendable {
    public var boundingBox: BoundingBox
    /// A JPEG or PNG file in base64 (RFC 4648, section 4).
    public var bytes: String

    public enum CodingKeys: String, CodingKey {
      case boundingBox = "BoundingBox"
      case bytes = "Bytes"
    }

    public init(boundingBox: BoundingBox, bytes: String) {
      self.boundingBox = boundingBox
      self.bytes = bytes
    }
  }

  /// Fractions of the image's width and height, origin at the top left.
  public struct BoundingBox: Codable, Hashable, Sendable {
    public var left: Float
    public var top: Float
    public var width: Float
    public var height: Float

    public enum CodingKeys: String, CodingKey {
      case left = "Left"
      case top = "Top"
      case width = "Width"
      case height = "Height"
    }

    public init(left: Float, top: Float, width: Float, height: Float) {
      self.left = left
      self.top = top
      self.width = width
      self.height = height
    }
  }

  public struct Challenge: Codable, Hashable, Sendable {
    public var type: String
    public var version: String

    public enum CodingKeys: String, CodingKey {
      case type = "Type"
      case version = "Version"
    }

    public init(type: String, version: String) {
      self.type = type
      self.version = version
    }
  }

  public enum CodingKeys: String, CodingKey {
    case sessionID = "SessionId"
    case status = "Status"
    case confidence = "Confidence"
    case referenceImage = "ReferenceImage"
    case auditImages = "AuditImages"
    case challenge = "Challenge"
    case feedback = "Feedback"
  }

  public init(
    sessionID: String, status: String, confidence: Double?, referenceImage: AuditImage?, auditImages: [AuditImage]?,
    challenge: Challenge?, feedback: [FeedbackItem]? = nil
  ) {
    self.sessionID = sessionID
    self.status = status
    self.confidence = confidence
    self.referenceImage = referenceImage
    self.auditImages = auditImages
    self.challenge = challenge
    self.feedback = feedback
  }
}

/// An error of the AWS JSON 1.1 protocol.
public struct AWSErrorResponse: Codable, Hashable, Sendable {
  public var type: String
  public var message: String

  public enum CodingKeys: String, CodingKey {
    case type = "__type"
    case message
  }

  public init(type: String, message: String) {
    self.type = type
    self.message = message
  }
}
