internal import MienCore
internal import MienChecks
internal import MienAPI

/// Maps requests of the AWS-compatible API to options of the service; unsupported parameters are rejected, never
/// ignored.
enum AWSRequestMapping {
  private static let challenges = ["FaceMovementAndLightChallenge", "FaceMovementChallenge"]

  static func read(_ request: CreateFaceLivenessSessionRequest) throws -> CreateSessionOptions {
    guard request.kmsKeyID == nil else {
      throw AWSError(.invalidParameter, "KmsKeyId: this server encrypts with no key of AWS. Leave it out.")
    }
    guard request.settings?.outputConfig == nil else {
      throw AWSError(
        .invalidParameter, "OutputConfig: this server writes to no S3 bucket and returns the images. Leave it out.")
    }
    if let token = request.clientRequestToken {
      guard (1...64).contains(token.utf8.count), token.utf8.allSatisfy(\.isIdentifierCharacter) else {
        throw AWSError(.validation, "ClientRequestToken must be 1 to 64 characters of A–Z a–z 0–9 - _.")
      }
    }
    let preferences = request.settings?.challengePreferences ?? []
    guard preferences.count <= 8 else { throw AWSError(.validation, "There are too many ChallengePreferences.") }
    for preference in preferences {
      guard challenges.contains(preference.type) else {
        throw AWSError(.validation, "ChallengePreferences: Type must be \(challenges.joined(separator: " or ")).")
      }
      for version in [preference.versions?.minimum, preference.versions?.maximum].compactMap({ $0 }) {
        guard isVersion(version) else {
          throw AWSError(.validation, "ChallengePreferences: a version is three numbers like 1.0.0.")
        }
      }
    }
    // As documented by Amazon: values below 0 mean none, values above 4 mean four.
    let limit = request.settings?.auditImagesLimit
    let audits = limit.map { max(0, min($0, 4)) } ?? .zero
    let wanted = preferences.map { "\($0.type) \($0.versions?.minimum ?? "") \($0.versions?.maximum ?? "")" }
    return CreateSessionOptions(
      auditImages: audits, requestToken: request.clientRequestToken,
      parameters: (["audits \(audits)"] + wanted).joined(separator: "\n"))
  }

  /// Returns `true` for a UUID with lowercase hexadecimal digits.
  static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  private static func isVersion(_ text: String) -> Bool {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 3
      && numbers.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIDigit) }
  }
}
