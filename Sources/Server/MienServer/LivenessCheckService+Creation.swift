internal import MienAPI
internal import MienChecks
internal import MienCore
internal import MienPlatform

/// Creation of checks from requests of the native API.
extension LivenessCheckService {
  /// - Parameter returnOrigins: origins of the URLs to which the page of a check may return a person.
  /// - Throws: ``ServiceError``, also for invalid values in the request.
  func create(_ body: CreateCheckRequest, returnOrigins: Set<String>) async throws -> (
    check: CheckRecord, token: String
  ) {
    var assurance: AssuranceLevel?
    if let text = body.assurance {
      assurance = AssuranceLevel(rawValue: text)
      guard assurance != nil else {
        throw ServiceError(
          .badValue,
          "\"assurance\" must be one of \(AssuranceLevel.allCases.map(\.rawValue).joined(separator: ", ")), or be left out."
        )
      }
    }
    var side: Side?
    guard body.challenge == nil || body.tasks == nil else {
      throw ServiceError(.badValue, "\"challenge\" is the head turn of a check without \"tasks\"; send one of the two.")
    }
    if let challenge = body.challenge {
      side = ChallengeName.side(challenge)
      guard side != nil else {
        throw ServiceError(.badValue, "\"challenge\" must be \"turn-left\" or \"turn-right\", or be left out.")
      }
    }
    var person: PersonID?
    if let text = body.person {
      person = PersonID(text)
      guard person != nil else {
        throw ServiceError(.badValue, "\"person\" must be 1 to 64 characters of A–Z a–z 0–9 - _.")
      }
    }
    var device: DeviceID?
    if let text = body.device {
      device = DeviceID(text)
      guard device != nil else {
        throw ServiceError(.badValue, "\"device\" must be 1 to 64 characters of A–Z a–z 0–9 - _.")
      }
    }
    var templateUse: TemplateUse?
    if let text = body.template {
      templateUse = TemplateUse(rawValue: text)
      guard templateUse != nil else {
        throw ServiceError(.badValue, "\"template\" must be \"match\" or \"enroll\", or be left out.")
      }
    }
    // The depth gate precedes all other tasks: a person who passes it need not perform them.
    let hasGate = body.tasks?.first?.kind == TaskRequest.depthGate
    let tasks = hasGate ? body.tasks.map { Array($0.dropFirst()) } : body.tasks
    guard tasks?.contains(where: { $0.kind == TaskRequest.depthGate }) != true,
      !hasGate || body.tasks?.first == TaskRequest(kind: TaskRequest.depthGate)
    else {
      throw ServiceError(.badValue, "\"depth-gate\" is the first task, once, and has no options.")
    }
    return try await create(
      side: side, person: person, device: device, expectsDepth: body.depth == true || hasGate,
      reference: body.reference, assurance: assurance, tasks: tasks?.map(TaskOptions.init),
      abilities: body.abilities.map(AccessibilityOptions.init),
      attempts: body.attempts, auditImages: body.auditImages, keepsClip: body.clip == true,
      sources: body.sources.map(CheckSources.init(names:)) ?? .observed, takesScan: body.scan == true,
      takesCaptures: body.capture == true,
      referenceImage: body.referenceImage.map { try ImageParsing.base64($0, "reference_image") },
      templateUse: templateUse,
      returnURL: body.returnURL.map { try ReturnAddress.validated($0, origins: returnOrigins) })
  }
}

extension CheckRecord {
  /// Returns the wire name of the challenge; once decided, of the decisive attempt.
  func challenge(decidedBy result: CheckResult?) -> String {
    tasks == nil ? ChallengeName.text(result?.side ?? side) : ChallengeName.tasks
  }

  /// Bits of choice, rounded down to tenths.
  var roundedBits: Double { (bitsOfChoice * 10).rounded(.down) / 10 }

  /// Path of the check.
  var address: String { "/v1/checks/\(id.text)" }
}

extension SignalsResponse {
  init(_ signals: SignalCoverage) {
    self.init(
      assessed: signals.assessed,
      notAssessed: signals.notAssessed.map { Unassessed(signal: $0.signal, reason: $0.reason) })
  }
}

extension TaskOptions {
  init(_ request: TaskRequest) {
    self.init(
      kind: request.kind, difficulty: request.difficulty, timeout: request.timeout, maxNods: request.maxNods,
      maxBlinks: request.maxBlinks,
      questions: request.questions?.map {
        Question(text: $0.question, answer: $0.answer, errorMessage: $0.errorMessage)
      })
  }
}

extension CreateCheckResponse {
  init(_ check: CheckRecord, token: String, publicURL: String?) {
    self.init(
      id: check.id.text, token: token, expiresAt: JSONResponse.rfc3339(milliseconds: check.expires.milliseconds),
      publicURL: publicURL)
  }
}

/// URL to which the page of a check returns the person.
enum ReturnAddress {
  static let maximumLength = 1024
  /// Characters of a URI (RFC 3986) except `#`, which would keep the check's ID from the integrator's server.
  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!$&'()*+,;=%".utf8)

  /// Returns the address if it begins with one of the origins.
  ///
  /// The text is compared, not parsed: no two parsers can then disagree about its host.
  ///
  /// - Throws: ``ServiceError`` with `badValue` for other texts, and with `forbidden` for other origins.
  static func validated(_ text: String, origins: Set<String>) throws -> String {
    guard text.utf8.count <= maximumLength, text.utf8.allSatisfy(allowed.contains) else {
      throw ServiceError(
        .badValue,
        "\"return_url\" must be an https address of at most \(maximumLength) characters, percent-encoded and without a "
          + "fragment.")
    }
    guard origins.contains(where: { text == $0 || text.hasPrefix($0 + "/") || text.hasPrefix($0 + "?") }) else {
      throw ServiceError(
        .forbidden,
        "The origin of \"return_url\" is not allowed on this server. Start it with --return-origin and that origin.")
    }
    return text
  }
}
