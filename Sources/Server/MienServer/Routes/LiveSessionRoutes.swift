internal import Hummingbird
internal import MienCore
internal import MienChecks
internal import MienMessageService

/// Service of sessions in which a person acts in front of a camera: checks and performances.
protocol LiveSessionService: Sendable {
  associatedtype Step: Sendable

  /// Throws ``ServiceError`` with `unauthorized` unless the token belongs to the session. Needs no lookup.
  func expectSessionToken(_ token: String?, of id: CheckID) throws
  /// Throws ``ServiceError`` unless the session can accept observations by the client at all.
  func expectClaimsAccepted(of id: CheckID) async throws
  /// Throws if the session has the maximum number of frames in progress.
  ///
  /// - Parameter numbered: `false` for clients that send one frame at a time.
  func expectRoom(_ id: CheckID, numbered: Bool) async throws
  /// Number of frames of the session that its client may have in progress.
  func frameWindow(of id: CheckID) async -> Int
  func processFrame(
    at bytes: [UInt8], of id: CheckID, token: String?, client: String?, capturedAt: Interval?, number: Int64?
  ) async throws -> Step
  func claim(_ claims: [ClientObservation], of id: CheckID, token: String?, client: String?) async throws -> Step
}

extension LivenessCheckService: LiveSessionService {
  nonisolated func expectSessionToken(_ token: String?, of id: CheckID) throws { try expectToken(token, of: id) }
  func expectClaimsAccepted(of id: CheckID) async throws { try await expectClaimsAllowed(of: id) }
}

extension MessageService: LiveSessionService {
  nonisolated func expectSessionToken(_ token: String?, of id: CheckID) throws { try expectToken(token, of: id) }
  // Each message determines the observations that it accepts.
  nonisolated func expectClaimsAccepted(of id: CheckID) throws {}
}

extension RouteCall {
  /// Analyzes the frame in the body as the next one of a session.
  func frame<Service: LiveSessionService>(
    of id: CheckID, with service: Service, _ bodies: BodyMemory
  ) async throws -> Service.Step {
    try expect("image/jpeg", "image/png")
    let number = try RequestParsing.frameNumber(request)
    let bytes = try await sessionBody(of: id, with: service, bodies, numbered: number != nil)
    return try await service.processFrame(
      at: bytes, of: id, token: bearer, client: RequestParsing.client(request),
      capturedAt: RequestParsing.capturedAt(request), number: number)
  }

  /// Adds to a response the number of frames that the client may have in progress.
  func addFrameWindow(to response: inout Response, of id: CheckID, with service: some LiveSessionService) async {
    response.headers[.mienFrameWindow] = "\(await service.frameWindow(of: id))"
  }

  /// Evaluates the observations in the body as the next ones of a session.
  func observations<Service: LiveSessionService>(
    of id: CheckID, with service: Service, _ bodies: BodyMemory
  ) async throws -> Service.Step {
    try expect("application/json", "application/x-ndjson")
    try service.expectSessionToken(bearer, of: id)
    try await service.expectClaimsAccepted(of: id)
    let bytes = try await sessionBody(of: id, with: service, bodies, beside: true)
    return try await service.claim(
      ObservationParsing.observations(bytes, of: request), of: id, token: bearer,
      client: RequestParsing.client(request))
  }

  /// Reads the body of a request to a session. The token is verified first, so that clients without one cannot fill the
  /// server's memory.
  ///
  /// - Parameters:
  ///   - numbered: `false` for a frame of a client that sends one frame at a time.
  ///   - beside: `true` for measurements that a device sends in addition to its frames: they do not wait for the frames,
  ///     since with several frames in progress one is always being analyzed.
  func sessionBody(
    of id: CheckID, with service: some LiveSessionService, _ bodies: BodyMemory, numbered: Bool = false,
    beside: Bool = false
  ) async throws -> [UInt8] {
    try service.expectSessionToken(bearer, of: id)
    if !beside { try await service.expectRoom(id, numbered: numbered) }
    let most = numbered || beside ? BodyMemory.bodiesOfWindow : BodyMemory.bodiesOfSession
    return try await bodies.reading(id.text, most: most) { try await body() }
  }
}
