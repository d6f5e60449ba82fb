/// Body of `CreateFaceLivenessSession`, as defined by Amazon Rekognition's API of 2016-06-27.
public struct CreateFaceLivenessSessionRequest: Codable, Hashable, Sendable {
  public var kmsKeyID: String?
  public var settings: Settings?
  public var clientRequestToken: String?

  public struct Settings: Codable, Hashable, Sendable {
    public var outputConfig: OutputConfig?
    public var auditImagesLimit: Int?
    public var challengePreferences: [ChallengePreference]?

    public enum CodingKeys: String, CodingKey, CaseIterable {
      case outputConfig = "OutputConfig"
      case auditImagesLimit = "AuditImagesLimit"
      case challengePreferences = "ChallengePreferences"
    }

    public init(from decoder: any Decoder) throws {
      try decoder.refuseStrayKeys(CodingKeys.self)
      let box = try decoder.container(keyedBy: CodingKeys.self)
      outputConfig = try box.decodeIfPresent(OutputConfig.self, forKey: .outputConfig)
      auditImagesLimit = try box.decodeIfPresent(Int.self, forKey: .auditImagesLimit)
      challengePreferences = try box.decodeIfPresent([ChallengePreference].self, forKey: .challengePreferences)
    }
  }

  public struct OutputConfig: Codable, Hashable, Sendable {
    public var s3Bucket: String?
    public var s3KeyPrefix: String?

    public enum CodingKeys: String, CodingKey {
      case s3Bucket = "S3Bucket"
      case s3KeyPrefix = "S3KeyPrefix"
    }
  }

  public struct ChallengePreference: Codable, Hashable, Sendable {
    /// `FaceMovementAndLightChallenge` or `FaceMovementChallenge`.
    public var type: String
    public var versions: Versions?

    public enum CodingKeys: String, CodingKey {
      case type = "Type"
      case versions = "Versions"
    }
  }

  public struct Versions: Codable, Hashable, Sendable {
    public var minimum: String?
    public var maximum: String?

    public enum CodingKeys: String, CodingKey {
      case minimum = "Minimum"
      case maximum = "Maximum"
    }
  }

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case kmsKeyID = "KmsKeyId"
    case settings = "Settings"
    case clientRequestToken = "ClientRequestToken"
  }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the API; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    kmsKeyID = try box.decodeIfPresent(String.self, forKey: .kmsKeyID)
    settings = try box.decodeIfPresent(Settings.self, forKey: .settings)
    clientRequestToken = try box.decodeIfPresent(String.self, forKey: .clientRequestToken)
  }
}

/// Response of `CreateFaceLivenessSession`.
public struct CreateFaceLivenessSessionResponse: Codable, Hashable, Sendable {
  public var sessionID: String

  public enum CodingKeys: String, CodingKey { case sessionID = "SessionId" }

  public init(sessionID: String) {
    self.sessionID = sessionID
  }
}
