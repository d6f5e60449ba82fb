internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienPlatform
internal import MienChecks
internal import MienAPI
internal import NIOCore

/// Mapping of errors to HTTP statuses and problem details.
enum ProblemDetails {
  static func status(_ code: ServiceError.Code) -> HTTPResponse.Status {
    switch code {
    case .unauthorized, .tokenExpired: .unauthorized
    case .forbidden, .demoDisabled, .attestationDisabled, .sourceNotAllowed, .scanNotAllowed, .captureNotAllowed,
      .linkRequired:
      .forbidden
    case .notFound: .notFound
    case .checkEnded, .frameInFlight, .secondClient, .mixedSources, .frameReplayed, .outOfOrder,
      .deviceExists, .wrongState, .notEnrolled, .templateOutdated, .filesIncomplete, .offsetMismatch:
      .conflict
    case .bodyTooLarge: .contentTooLarge
    case .bodyTooSlow: .requestTimeout
    case .unsupportedMediaType: .unsupportedMediaType
    case .badRequest, .badJSON, .unknownKey, .badForm: .badRequest
    case .badValue, .notAImage, .imageTooLarge, .timestampOutOfRange, .notAssessed, .attestationRejected:
      .unprocessableContent
    case .lockedOut, .tooManyRequests, .tooManyFrames: .tooManyRequests
    case .checksumMismatch: HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch")
    case .unsupportedVersion: .preconditionFailed
    case .messageLocked, .uploadBusy: HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
    case .storageQuota: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    case .messageGone: .gone
    case .methodNotAllowed: .methodNotAllowed
    case .modelUnavailable, .busy, .unavailable: .serviceUnavailable
    default: .internalServerError
    }
  }

  /// Default value of `Retry-After` in seconds: temporary rejections always include one.
  private static func usualWait(_ status: HTTPResponse.Status) -> Int? {
    status == .tooManyRequests || status == .serviceUnavailable ? 1 : nil
  }

  static var mediaType: String { "application/problem+json" }

  static func response(_ error: ServiceError) -> Response {
    let (status, body, fields) = reply(error)
    var response = JSONResponse.bytes(body, status: status, type: mediaType)
    for field in fields { response.headers.append(field) }
    return response
  }

  /// Returns the components of the response.
  static func reply(_ error: ServiceError) -> (status: HTTPResponse.Status, body: ByteBuffer, more: [HTTPField]) {
    let status = status(error.code)
    let problem = ProblemResponse(
      code: error.code.text, status: status.code, detail: error.reason, step: error.step.map(StepResponse.init))
    var more: [HTTPField] = []
    if status == .unauthorized { more.append(HTTPField(name: .wwwAuthenticate, value: "Bearer")) }
    if let seconds = error.retryAfter ?? usualWait(status) {
      more.append(HTTPField(name: .retryAfter, value: "\(seconds)"))
    }
    return (status, JSONResponse.encoded(problem), more)
  }

  /// Maps an error to the one reported to the client: a ``ServiceError`` unchanged; of unknown errors, only the type is
  /// logged.
  static func error(_ error: any Error, _ logger: Logger) -> ServiceError {
    switch error {
    case let error as ServiceError:
      if error.code == .badRequest { logger.debug("a request was refused", metadata: ["reason": "\(error.reason)"]) }
      return error
    case let error where Descriptors.areExhausted(error):
      logger.error("no file descriptor is free; raise the limit (ulimit -n)")
      return ServiceError(
        .busy, "The server has reached its limit of open files. Nothing was lost. Try again shortly.", retryAfter: 1)
    case let error as StoreError:
      logger.error("store", metadata: ["code": "\(error.code)", "reason": "\(error.reason)"])
      return ServiceError(
        .unavailable, "The database or the store of files could not do this now; nothing was lost. Try again shortly.")
    default:
      logger.error("unexpected error", metadata: ["type": "\(type(of: error))"])
      return ServiceError(.internalError, "Something went wrong inside the server; its log names the kind of error.")
    }
  }
}

extension StepResponse {
  init(_ step: CheckStep) {
    self.init(
      state: step.state, instruction: step.instruction, side: step.side, progress: step.progress, hints: step.hints,
      reason: step.reason, remaining: step.remaining, outline: step.outline, task: step.task.map(TaskResponse.init),
      attempt: step.attempt.map { AttemptResponse(number: $0.number, count: $0.count, lastReason: $0.lastReason) })
  }
}

extension TaskResponse {
  init(_ task: TaskStep) {
    var prompt = Prompt()
    prompt.direction = task.prompt.direction
    prompt.sectors = task.prompt.sectors
    prompt.head = task.prompt.head.map(Self.point)
    prompt.target = task.prompt.target.map(Self.point)
    prompt.question = task.prompt.question
    prompt.error = task.prompt.error
    prompt.sequence = task.prompt.sequence
    prompt.next = task.prompt.next
    prompt.done = task.prompt.done
    prompt.index = task.prompt.index
    prompt.count = task.prompt.count
    prompt.light = task.prompt.light.map {
      Light(color: $0.color, next: $0.next, until: $0.until, dwell: $0.dwell, canDecline: $0.canDecline)
    }
    self.init(kind: task.kind, index: task.index, count: task.count, prompt: prompt)
  }

  /// Two decimals exceed what is visible.
  private static func point(_ point: SIMD2<Float>) -> [Float] {
    [(point.x * 100).rounded() / 100, (point.y * 100).rounded() / 100]
  }
}
